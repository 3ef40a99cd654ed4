import CacheEngine
import Locking
import PageScripts

/// The content of one request of a page, on its way from the page to the origin.
///
/// Its bytes come in pieces, each in a request of its own. Such a request is answered when the piece is taken, and the
/// next one comes then: the page reads its file as fast as the origin does, and one piece waits in memory.
package final class PageUpload: Sendable {
    /// How the page is answered.
    enum Outcome: Hashable, Sendable {
        /// The piece, or all of the content, has been taken.
        case taken
        /// The origin has answered without the rest.
        case unwanted
        /// The request has failed, or the page broke the rules.
        case failed
    }

    /// Content up to this length, in bytes, is kept until the response comes, if there is memory for it: a redirect may
    /// want it once more.
    static let greatestKept: Int64 = 4_194_304
    /// The most of one piece, in bytes.
    package static let greatestPiece = 1_048_576

    private struct Piece {
        var bytes: [UInt8]
        /// `nil` for content that came with the request.
        var sender: CheckedContinuation<Outcome, Never>?
        var memory: UploadMemory.Share?
    }

    private struct State {
        var length: Int64
        var isKept: Bool
        /// Memory for the kept content.
        var memory: UploadMemory.Share?
        /// The piece that waits to be taken.
        var piece: Piece?
        /// Its number, or the one that it will have.
        var next = 0
        var taken: Int64 = 0
        var kept: [[UInt8]] = []
        /// The reader that counts; those of earlier hops do not.
        var reader = 0
        var isBeingRead = false
        var hasResponse = false
        var end: Outcome?
        var beginner = Waiters<Outcome>()
        /// The reader that waits for a piece.
        var consumer = Waiters<Void>()
    }

    let id: UploadID
    /// The URL of the request that it belongs to.
    let url: String
    let isForm: Bool
    /// Whether a request has come for it.
    let isClaimed = AtomicFlag(false)
    /// Whether the request carries the content by itself; ``give(_:)`` is to be called then.
    package let isWhole: Bool
    private let state: LockedBox<State>
    /// Memory for pieces that wait; `nil` where none come.
    private let waiting: UploadMemory?

    /// - Parameters:
    ///   - length: In bytes.
    ///   - waiting: Memory for pieces until the origin takes them. Without enough the upload fails.
    ///   - keeping: Memory for kept content. It is not kept where there is too little.
    init(
        _ id: UploadID, url: String, length: Int64, isForm: Bool, waiting: UploadMemory, keeping: UploadMemory
    ) {
        (self.id, self.url, self.isForm, self.waiting, isWhole) = (id, url, isForm, waiting, false)
        let memory = length <= Self.greatestKept ? keeping.share(length) : nil
        state = LockedBox(State(length: length, isKept: memory != nil, memory: memory))
    }

    /// One whose content the request carries by itself.
    init(_ id: UploadID, url: String) {
        (self.id, self.url, isForm, waiting, isWhole) = (id, url, false, nil, true)
        state = LockedBox(State(length: 0, isKept: true))
    }

    /// In bytes.
    var length: Int64 { state.withLock { $0.length } }

    /// The content that the request carries by itself.
    package func give(_ content: [UInt8]) {
        guard isWhole else { return }
        state.withLock { state in
            state.length = Int64(content.count)
            if !content.isEmpty { state.piece = Piece(bytes: content) }
        }
    }

    // MARK: From the page

    /// Waits for the end. The page that began it gives it up by cancelling.
    func waitForEnd() async -> Outcome {
        let (known, ends) = state.withLock { ($0.end, $0.beginner.add()) }
        if let known { return known }
        for await end in ends { return end }
        end(.failed)
        return state.withLock { $0.end } ?? .failed
    }

    /// Waits until the piece is taken.
    func give(_ bytes: [UInt8], number: Int) async -> Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let memory = waiting?.share(Int64(bytes.count))
                let outcome = state.withLock { state -> Outcome? in
                    if let end = state.end { return end }
                    guard number == state.next, !isWhole, state.piece == nil, !bytes.isEmpty,
                        bytes.count <= Self.greatestPiece, memory != nil
                    else { return .failed }
                    state.piece = Piece(bytes: bytes, sender: continuation, memory: memory)
                    state.consumer.wake(())
                    return nil
                }
                if outcome == .failed { end(.failed) }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            end(.failed)
        }
    }

    /// The page could not read its file.
    func fail() { end(.failed) }

    private func end(_ outcome: Outcome) {
        let sender = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
            guard state.end == nil else { return nil }
            state.end = outcome
            state.beginner.wake(outcome)
            state.consumer.wake(())
            // Content that could be asked for again, if all of it has been taken, stays.
            if outcome != .taken { (state.kept, state.memory) = ([], nil) }
            defer { state.piece = nil }
            return state.piece?.sender
        }
        sender?.resume(returning: outcome)
    }

    // MARK: To the origin

    /// Whether it can be read from its beginning once more.
    var isKept: Bool { state.withLock { $0.isKept } }

    /// All of it, where it was read to its end and is kept.
    var wholeContent: [UInt8]? {
        state.withLock { $0.end == .taken && $0.isKept ? Array($0.kept.joined()) : nil }
    }

    /// Reads it from its beginning; a reader from before gets nothing more.
    func makeSource() -> any BodySource {
        let number = state.withLock { state -> Int in
            state.reader += 1
            state.isBeingRead = true
            state.consumer.wake(())
            return state.reader
        }
        return Reader(self, number)
    }

    /// The request has been answered, or has failed. After an answer, pieces are taken as long as somebody reads them.
    func settle(hasFailed: Bool) {
        if hasFailed { return end(.failed) }
        let isUnwanted = state.withLock { state in
            state.hasResponse = true
            return !state.isBeingRead
        }
        if isUnwanted { end(.unwanted) }
    }

    private func giveUp(_ reader: Int) {
        let isUnwanted = state.withLock { state -> Bool in
            guard state.reader == reader else { return false }
            state.isBeingRead = false
            state.consumer.wake(())
            return state.hasResponse
        }
        if isUnwanted { end(.unwanted) }
    }

    private enum Step {
        case bytes([UInt8], sender: CheckedContinuation<Outcome, Never>?)
        case wait(AsyncStream<Void>)
        case whole, broken, stopped
    }

    /// - Parameter place: The number of the piece that the reader wants.
    private func step(_ reader: Int, _ place: Int) -> Step {
        state.withLock { state in
            guard state.reader == reader, state.isBeingRead else { return .stopped }
            if place < state.next { return place < state.kept.count ? .bytes(state.kept[place], sender: nil) : .broken }
            if state.taken == state.length { return .whole }
            guard state.end == nil else { return .broken }
            guard let piece = state.piece else { return .wait(state.consumer.add()) }
            guard Int64(piece.bytes.count) <= state.length - state.taken else { return .broken }
            state.piece = nil
            state.next += 1
            state.taken += Int64(piece.bytes.count)
            if state.isKept { state.kept.append(piece.bytes) }
            return .bytes(piece.bytes, sender: piece.sender)
        }
    }

    private func next(_ reader: Int, _ place: Int) async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            while true {
                switch step(reader, place) {
                case .bytes(let bytes, let sender):
                    sender?.resume(returning: .taken)
                    if state.withLock({ $0.taken == $0.length }) { end(.taken) }
                    return bytes
                case .whole:
                    end(.taken)
                    return nil
                case .broken:
                    end(.failed)
                    throw SchemeTaskError(
                        code: .bodyBroken, message: "The page gave up its upload, or could not read its file any more.")
                case .stopped: throw CancellationError()
                case .wait(let pieces): for await _ in pieces {}
                }
            }
        } onCancel: {
            giveUp(reader)
        }
    }

    /// Reads an upload for one hop of its request.
    private final class Reader: BodySource {
        private let upload: PageUpload
        private let number: Int
        private let place = LockedBox(0)

        init(_ upload: PageUpload, _ number: Int) {
            self.upload = upload
            self.number = number
        }

        deinit { cancel() }

        func next() async throws -> [UInt8]? {
            let place = place.withLock { place -> Int in
                defer { place += 1 }
                return place
            }
            return try await upload.next(number, place)
        }

        func cancel() { upload.giveUp(number) }
    }
}
