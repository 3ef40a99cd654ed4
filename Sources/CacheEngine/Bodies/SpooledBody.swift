import Locking
import ResponseStore

/// A response body that is stored while it is read: one pump appends, several readers follow, each at its own pace.
///
/// The pump keeps at most ``lead`` bytes ahead of the fastest reader, so that a slow client slows the origin down. The
/// last ``lead`` bytes stay in memory; a reader further behind reads what was stored. When storing fails, readers
/// within the lead go on as if nothing had happened, and only one that lags further loses its stream. A late reader
/// starts at the first byte. When the last reader leaves before the end, the transfer stops.
final class SpooledBody: Sendable {
    /// How far the pump may run ahead, in bytes.
    static let lead: Int64 = 1_048_576

    private struct State {
        var length: Int64 = 0
        var tail: [(offset: Int64, bytes: [UInt8])] = []
        var positions: [Int: Int64] = [:]
        var lastReader = 0
        var end: Result<Void, any Error>?
        var storingFailed = false
        var readerWaiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var pumpWaiting: CheckedContinuation<Void, Never>?

        var fastest: Int64? { positions.values.max() }
        var tailStart: Int64 { tail.first?.offset ?? length }
    }

    private let pending: any PendingBody
    private let state = LockedBox(State())

    init(_ pending: any PendingBody) {
        self.pending = pending
    }

    /// Whether everything arrived and is in the pending body, so that it may be committed.
    var isWhole: Bool {
        state.withLock { state in
            if case .success = state.end { return !state.storingFailed }
            return false
        }
    }

    /// Moves everything from the source; returns the number of bytes once the source has ended.
    ///
    /// - Throws: What the source threw, or `CancellationError` when every reader has left.
    func pump(_ source: any BodySource) async throws -> Int64 {
        do {
            while await roomToRead() {
                guard let bytes = try await source.next() else {
                    finish(.success(()))
                    return state.withLock { $0.length }
                }
                append(bytes)
            }
            source.cancel()
            throw CancellationError()
        } catch {
            finish(.failure(error))
            throw error
        }
    }

    /// Waits until the fastest reader has caught up; false when no reader is left.
    private func roomToRead() async -> Bool {
        while true {
            let answer = state.withLock { state -> Bool? in
                guard let fastest = state.fastest else { return false }
                return state.length - fastest < Self.lead ? true : nil
            }
            if let answer { return answer }
            await withCheckedContinuation { continuation in
                let resumeNow = state.withLock { state -> Bool in
                    if state.fastest.map({ state.length - $0 < Self.lead }) ?? true { return true }
                    state.pumpWaiting = continuation
                    return false
                }
                if resumeNow { continuation.resume() }
            }
        }
    }

    private func append(_ bytes: [UInt8]) {
        let mayStore = state.withLock { !$0.storingFailed }
        if mayStore {
            do {
                try pending.append(bytes)
            } catch {
                state.withLock { $0.storingFailed = true }
            }
        }
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.tail.append((state.length, bytes))
            state.length += Int64(bytes.count)
            var drop = 0
            while drop < state.tail.count - 1, state.length - state.tail[drop + 1].offset >= Self.lead { drop += 1 }
            state.tail.removeFirst(drop)
            defer { state.readerWaiting.removeAll() }
            return Array(state.readerWaiting.values)
        }
        for continuation in waiting { continuation.resume() }
    }

    private func finish(_ end: Result<Void, any Error>) {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            if state.end == nil { state.end = end }
            defer { state.readerWaiting.removeAll() }
            return Array(state.readerWaiting.values)
        }
        for continuation in waiting { continuation.resume() }
    }

    /// A new reader at the first byte; `nil` when the transfer has already failed.
    func makeReader() -> Reader? {
        let id = state.withLock { state -> Int? in
            if case .failure = state.end { return nil }
            if state.storingFailed, state.tailStart > 0 { return nil }
            state.lastReader += 1
            state.positions[state.lastReader] = 0
            return state.lastReader
        }
        return id.map { Reader(self, id: $0) }
    }

    private func next(for id: Int) async throws -> [UInt8]? {
        while true {
            enum Step {
                case bytes([UInt8])
                case stored(from: Int64, count: Int)
                case ended
                case failed(any Error)
                case wait
            }
            let step = state.withLock { state -> Step in
                guard let position = state.positions[id] else { return .ended }
                if position < state.length {
                    if position >= state.tailStart {
                        // Pieces are few (at most the lead), and a reader in step takes the last one.
                        if let piece = state.tail.last(where: { $0.offset <= position }) {
                            return .bytes(Array(piece.bytes.dropFirst(Int(position - piece.offset))))
                        }
                    }
                    return .stored(from: position, count: Int(min(65_536, state.length - position)))
                }
                switch state.end {
                case .success: return .ended
                case .failure(let error): return .failed(error)
                case nil: return .wait
                }
            }
            switch step {
            case .bytes(let bytes):
                advance(id, by: bytes.count)
                return bytes
            case .stored(let offset, let count):
                let bytes = try pending.read(from: offset, upTo: count)
                guard !bytes.isEmpty else {
                    throw StoreError(code: .readFailed, message: "A response that is being stored can't be read back.")
                }
                advance(id, by: bytes.count)
                return bytes
            case .ended: return nil
            case .failed(let error): throw error
            case .wait: await waitForMore(id)
            }
        }
    }

    private func waitForMore(_ id: Int) async {
        await withCheckedContinuation { continuation in
            let resumeNow = state.withLock { state -> Bool in
                guard let position = state.positions[id], position == state.length, state.end == nil else { return true }
                state.readerWaiting[id] = continuation
                return false
            }
            if resumeNow { continuation.resume() }
        }
    }

    private func advance(_ id: Int, by count: Int) {
        let pump = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.positions[id]? += Int64(count)
            defer { state.pumpWaiting = nil }
            return state.pumpWaiting
        }
        pump?.resume()
    }

    private func leave(_ id: Int) {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.positions[id] = nil
            let both = [state.readerWaiting.removeValue(forKey: id), state.pumpWaiting].compactMap { $0 }
            state.pumpWaiting = nil
            return both
        }
        for continuation in waiting { continuation.resume() }
    }

    /// One reader's place in the body.
    final class Reader: BodySource {
        private let body: SpooledBody
        private let id: Int

        fileprivate init(_ body: SpooledBody, id: Int) {
            self.body = body
            self.id = id
        }

        deinit { body.leave(id) }

        func next() async throws -> [UInt8]? {
            try await withTaskCancellationHandler {
                let piece = try await body.next(for: id)
                if piece == nil { try Task.checkCancellation() }
                return piece
            } onCancel: {
                cancel()
            }
        }

        func cancel() { body.leave(id) }
    }
}
