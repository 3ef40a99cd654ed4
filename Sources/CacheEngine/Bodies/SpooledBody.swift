import HTTPTypes
import Locking
import ResponseStore

/// A response body that is stored while it is read: one pump appends, several readers follow, each at its own pace.
///
/// The pump keeps at most ``lead`` bytes ahead of the fastest reader, so that a slow client slows the origin down. The
/// last ``lead`` bytes stay in memory, and all that the fastest reader has not read yet; a reader further behind reads
/// the stored bytes. When storing fails, what was stored stays readable, and the pump waits for the slowest reader: all
/// get everything, but for one that takes nothing for ``patience`` while others wait for it: that one is left behind
/// (``LeftBehind``). A late reader starts at the first byte. When the last reader leaves before everything has come,
/// the transfer stops at once.
final class SpooledBody: Sendable {
    /// How far the pump may run ahead, in bytes.
    static let lead: Int64 = 1_048_576
    /// How long the others wait for a reader that takes nothing, once storing has failed.
    static let patience = Duration.seconds(10)

    private struct State {
        var recent = RecentBytes()
        var positions: [Int: Int64] = [:]
        var leftBehind: Set<Int> = []
        var lastReader = 0
        var end: Result<Void, any Error>?
        /// Whether the end may be that of the connection, and not of the response.
        var isEndUnverified = false
        var storingFailure: (any Error)?
        var storingFailed: Bool { storingFailure != nil }
        var storedLength: Int64 = 0
        /// The fields that followed the content (RFC 9110 §6.5): passed on, not stored.
        var trailers: HTTPFields?
        var readerWaiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var pumpWaiting: CheckedContinuation<Void, Never>?
        /// The source that the pump reads, so that the last reader can cancel it while it waits for the origin.
        var source: (any BodySource)?

        var length: Int64 { recent.end }

        /// The first byte that has to stay in memory for a reader or that the pump has to wait for.
        var neededFrom: Int64 {
            let (slowest, fastest) = (positions.values.min() ?? length, positions.values.max() ?? length)
            return storingFailed ? min(fastest, max(slowest, storedLength)) : fastest
        }

        mutating func takeReaders() -> [CheckedContinuation<Void, Never>] {
            defer { readerWaiting.removeAll() }
            return Array(readerWaiting.values)
        }
    }

    private let pending: any PendingBody
    private let expectedLength: Int64?
    private let sleep: @Sendable (Duration) async throws -> Void
    private let state = LockedBox(State())

    /// - Parameters:
    ///   - expectedLength: The length that the origin stated, in bytes. A body that ends with another length has
    ///     failed.
    init(
        _ pending: any PendingBody, expectedLength: Int64? = nil,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        (self.pending, self.expectedLength, self.sleep) = (pending, expectedLength, sleep)
    }

    /// How much of what arrived is in the pending body, and whether that is everything; `nil` when storing failed.
    var stored: (length: Int64, isWhole: Bool)? {
        state.withLock { state in
            guard !state.storingFailed else { return nil }
            if case .success = state.end { return (state.storedLength, !state.isEndUnverified) }
            return (state.storedLength, false)
        }
    }

    /// Why storing failed.
    var storingFailure: (any Error)? { state.withLock { $0.storingFailure } }

    /// Whether everything has arrived, so that a reader may have read it all.
    var hasAll: Bool {
        state.withLock { $0.end != nil || $0.length == expectedLength }
    }

    // MARK: The pump

    /// Moves everything from the source; returns the number of bytes once the source has ended.
    ///
    /// - Throws: The source's error, or `CancellationError` when every reader has left.
    func pump(_ source: any BodySource) async throws -> Int64 {
        let isWanted = state.withLock { state -> Bool in
            if state.end == nil { state.source = source }
            return state.end == nil
        }
        do {
            while isWanted, await roomToRead() {
                guard let bytes = try await source.next() else {
                    let length = state.withLock { $0.length }
                    guard expectedLength.map({ $0 == length }) ?? true else {
                        throw TransportError(
                            code: .closedEarly, message: "The response differs in length from what the origin stated.")
                    }
                    state.withLock { $0.trailers = source.trailers }
                    finish(.success(()))
                    return length
                }
                append(bytes)
            }
            source.cancel()
            throw CancellationError()
        } catch  where UnverifiedEnd.isMeant(by: error) && expectedLength == nil {
            state.withLock { $0.isEndUnverified = true }
            finish(.success(()))
            return state.withLock { $0.length }
        } catch {
            finish(.failure(error))
            throw error
        }
    }

    private enum Room {
        case some, none, unwanted
    }

    private func room(_ state: State) -> Room {
        if state.end != nil { return .unwanted }
        // Only the end is missing, and it takes no room.
        if state.length == expectedLength { return .some }
        if state.positions.isEmpty { return .unwanted }
        return state.length - state.neededFrom < Self.lead ? .some : .none
    }

    /// Waits until the readers have caught up; false when no reader is left.
    private func roomToRead() async -> Bool {
        while true {
            switch state.withLock({ room($0) }) {
            case .some: return true
            case .unwanted: return false
            case .none: break
            }
            let (isShared, before) = state.withLock { ($0.storingFailed && $0.positions.count > 1, $0.positions) }
            let limit =
                isShared
                ? Task { [weak self, sleep] in
                    try await sleep(Self.patience)
                    self?.leaveBehind(since: before)
                } : nil
            await withCheckedContinuation { continuation in
                let resumeNow = state.withLock { state -> Bool in
                    guard room(state) == .none else { return true }
                    state.pumpWaiting = continuation
                    return false
                }
                if resumeNow { continuation.resume() }
            }
            limit?.cancel()
        }
    }

    /// Ends the streams of readers that have taken nothing since, if others wait for them.
    private func leaveBehind(since before: [Int: Int64]) {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            let fastest = state.positions.values.max() ?? 0
            guard state.length - fastest < Self.lead else { return [] }
            let late = state.positions.filter { $1 != fastest && before[$0] == $1 }.keys
            for id in late { state.positions[id] = nil }
            state.leftBehind.formUnion(late)
            defer { state.pumpWaiting = nil }
            return state.takeReaders() + [state.pumpWaiting].compactMap { $0 }
        }
        for continuation in waiting { continuation.resume() }
    }

    private func append(_ bytes: [UInt8]) {
        let mayStore = state.withLock { !$0.storingFailed && $0.end == nil }
        if mayStore {
            do {
                try pending.append(bytes)
                state.withLock { $0.storedLength += Int64(bytes.count) }
            } catch {
                state.withLock { $0.storingFailure = error }
            }
        }
        let (waiting, givesUp) = state.withLock { state -> ([CheckedContinuation<Void, Never>], Bool) in
            state.recent.append(bytes)
            // The disk may be full, so what nobody reads from there leaves it at once.
            let start = state.recent.start
            let givesUp = state.storingFailed && !state.positions.values.contains { $0 < start }
            if givesUp { state.storedLength = 0 }
            state.recent.forget(
                before: state.storingFailed ? state.neededFrom : min(state.neededFrom, state.length - Self.lead))
            return (state.takeReaders(), givesUp)
        }
        if givesUp { pending.giveUp() }
        for continuation in waiting { continuation.resume() }
    }

    private func finish(_ end: Result<Void, any Error>) {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            if state.end == nil { state.end = end }
            state.source = nil
            return state.takeReaders()
        }
        for continuation in waiting { continuation.resume() }
    }

    var trailers: HTTPFields? { state.withLock { $0.trailers } }

    // MARK: The readers

    /// A new reader at the first byte; `nil` when the transfer has failed, or its beginning is gone.
    func makeReader() -> SpooledReader? {
        let id = state.withLock { state -> Int? in
            if case .failure = state.end { return nil }
            if state.storingFailed, state.recent.start > 0 { return nil }
            state.lastReader += 1
            state.positions[state.lastReader] = 0
            return state.lastReader
        }
        return id.map { SpooledReader(self, id: $0) }
    }

    private enum Step {
        case bytes([UInt8])
        case stored(from: Int64, count: Int)
        case ended
        case failed(any Error)
        case wait
    }

    private static func step(_ state: State, _ id: Int) -> Step {
        // A reader that left must not take the missing rest for the end.
        guard let position = state.positions[id] else {
            return .failed(state.leftBehind.contains(id) ? LeftBehind() : CancellationError())
        }
        if position < state.length {
            if let bytes = state.recent.bytes(from: position) { return .bytes(bytes) }
            return .stored(from: position, count: Int(min(65_536, state.length - position)))
        }
        switch state.end {
        case .success: return .ended
        case .failure(let error): return .failed(error)
        case nil: return .wait
        }
    }

    func next(for id: Int) async throws -> [UInt8]? {
        while true {
            switch state.withLock({ Self.step($0, id) }) {
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
                guard case .wait = Self.step(state, id) else { return true }
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

    /// Removes one reader. When the last one leaves before everything has arrived, the transfer ends.
    func leave(_ id: Int) {
        let (waiting, unwanted) = state.withLock { state -> ([CheckedContinuation<Void, Never>], (any BodySource)?) in
            state.positions[id] = nil
            let waiting = [state.readerWaiting.removeValue(forKey: id), state.pumpWaiting].compactMap { $0 }
            state.pumpWaiting = nil
            guard state.positions.isEmpty, state.end == nil, state.length != expectedLength else {
                return (waiting, nil)
            }
            state.end = .failure(CancellationError())
            defer { state.source = nil }
            return (waiting, state.source)
        }
        for continuation in waiting { continuation.resume() }
        unwanted?.cancel()
    }
}
