import CacheEngine
import Locking
import PageScripts

/// The content of a form whose answer takes the place of its own page.
///
/// A web view stops what a page has under way when another document takes its place. So the content is collected before
/// the web view navigates, piece by piece, and can be read as often as is wanted from then on.
package final class HeldForm: Sendable {
    /// Up to this length, in bytes, the content stays in memory.
    static let greatestInMemory: Int64 = 4_194_304

    /// How the request that began it ends.
    enum End: Hashable, Sendable {
        /// The form's own request has come for the content.
        case claimed
        case failed
        /// The page that began it has given it up, or is gone.
        case left
    }

    private enum Progress {
        /// The page still sends pieces.
        case collecting
        /// All of it is there.
        case whole
        case failed(SchemeTaskError)
    }

    private struct State {
        var progress = Progress.collecting
        /// The lengths of the pieces, in bytes, and the pieces themselves unless they are in the space.
        var counts: [Int] = []
        var pieces: [[UInt8]] = []
        var taken: Int64 = 0
        var isWriting = false
        var isReleased = false
        var claim: String?
        var end: End?
        var beginner: CheckedContinuation<End, Never>?
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    let id: UploadID
    /// The URL of the request that it belongs to, without fragment.
    let url: String
    /// In bytes.
    let length: Int64
    private let space: (any UploadSpace)?
    private let state: LockedBox<State>

    init(_ id: UploadID, url: String, length: Int64, space: (any UploadSpace)? = nil) {
        (self.id, self.url, self.length, self.space) = (id, url, length, space)
        state = LockedBox(State())
    }

    /// One that can't be had.
    init(_ id: UploadID, url: String, refusedBecause error: SchemeTaskError) {
        (self.id, self.url, length, space) = (id, url, 0, nil)
        state = LockedBox(State(progress: .failed(error), end: .failed))
    }

    /// Whether no request has come for it.
    var isUnclaimed: Bool { state.withLock { $0.claim == nil } }

    /// Whether the web view was told to navigate.
    var isReleased: Bool { state.withLock { $0.isReleased } }

    /// Whether the form outlives its page: it was released or claimed, or has ended.
    var isIndependent: Bool { state.withLock { $0.isReleased || $0.claim != nil || $0.end != nil } }

    // MARK: From the page

    /// Waits for the end. The page that began it gives it up by cancelling.
    func waitForEnd() async -> End {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let end = state.withLock { state -> End? in
                    if state.end == nil { state.beginner = continuation }
                    return state.end
                }
                if let end { continuation.resume(returning: end) }
            }
        } onCancel: {
            leave()
        }
    }

    /// Stores a piece.
    func give(_ bytes: [UInt8], number: Int) -> PageUpload.Outcome {
        enum Step { case write, broken, over }
        let step = state.withLock { state -> Step in
            guard case .collecting = state.progress else { return .over }
            guard number == state.counts.count, !state.isWriting, !bytes.isEmpty,
                bytes.count <= PageUpload.greatestPiece, Int64(bytes.count) <= length - state.taken
            else { return .broken }
            state.isWriting = true
            return .write
        }
        guard step == .write else {
            if step == .broken { fail() }
            return .failed
        }
        do {
            try space?.append(bytes)
        } catch {
            fail(Self.noRoom(error))
            return .failed
        }
        let (isTaken, waiting) = state.withLock { state -> (Bool, [CheckedContinuation<Void, Never>]) in
            state.isWriting = false
            guard case .collecting = state.progress else { return (false, []) }
            state.counts.append(bytes.count)
            state.taken += Int64(bytes.count)
            if space == nil { state.pieces.append(bytes) }
            guard state.taken == length else { return (true, []) }
            state.progress = .whole
            defer { state.waiting = [] }
            return (true, state.waiting)
        }
        for waiter in waiting { waiter.resume() }
        return isTaken ? .taken : .failed
    }

    /// The page could not read its file, or broke the rules.
    func fail() { fail(Self.broken) }

    private func fail(_ error: SchemeTaskError) {
        finish(.failed) { state in
            guard case .collecting = state.progress else { return false }
            state.progress = .failed(error)
            return true
        }
    }

    private func leave() {
        finish(.left) { state in
            if case .collecting = state.progress { state.progress = .failed(Self.broken) }
            return true
        }
    }

    private func finish(_ end: End, _ change: (inout State) -> Bool) {
        let (beginner, waiting) = state.withLock {
            state -> (CheckedContinuation<End, Never>?, [CheckedContinuation<Void, Never>]) in
            guard change(&state) else { return (nil, []) }
            if case .failed = state.progress { state.pieces = [] }
            state.end = state.end ?? end
            defer { (state.beginner, state.waiting) = (nil, []) }
            return (state.beginner, state.waiting)
        }
        beginner?.resume(returning: end)
        for waiter in waiting { waiter.resume() }
    }

    // MARK: For the web view

    /// Waits until all of it is there, or will never be. From then on it no longer depends on its page.
    func release() async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state -> Bool in
                guard case .collecting = state.progress else { return true }
                state.waiting.append(continuation)
                return false
            }
            if isReady { continuation.resume() }
        }
        state.withLock { state in
            if case .whole = state.progress { state.isReleased = true }
        }
    }

    /// Claims it for the first request that comes for it.
    ///
    /// - Parameter type: The `Content-Type` that the web view has given that request.
    /// - Returns: Whether it was not claimed before.
    /// - Throws: Where its content is not whole; the request must not be sent then.
    func claim(_ type: String) throws(SchemeTaskError) -> Bool {
        enum Step { case claimed, before, unfinished, failed(SchemeTaskError) }
        let step = state.withLock { state -> Step in
            guard state.claim == nil else { return .before }
            switch state.progress {
            case .failed(let error): return .failed(error)
            case .collecting: return .unfinished
            case .whole:
                state.claim = type
                return .claimed
            }
        }
        switch step {
        case .claimed:
            finish(.claimed) { _ in true }
            return true
        case .before: return false
        case .unfinished:
            fail()
            throw Self.broken
        case .failed(let error): throw error
        }
    }

    /// Whether a request with this `Content-Type` is the one that claimed it, sent once more: the web view has drawn
    /// the boundary in it at random.
    func wasClaimed(by type: String) -> Bool { state.withLock { $0.claim == type } }

    // MARK: To the origin

    /// Reads it from its beginning.
    func makeSource() -> any BodySource { Reader(self) }

    private func piece(_ place: Int, at offset: Int64) throws -> [UInt8]? {
        enum Found { case bytes([UInt8]), count(Int), end }
        let found = state.withLock { state -> Found in
            guard place < state.counts.count else { return .end }
            return space == nil ? .bytes(state.pieces[place]) : .count(state.counts[place])
        }
        switch found {
        case .bytes(let bytes): return bytes
        case .end: return nil
        case .count(let count):
            guard let bytes = try space?.read(at: offset, count: count), bytes.count == count else { throw Self.broken }
            return bytes
        }
    }

    private final class Reader: BodySource {
        private struct Place {
            var piece = 0
            var offset: Int64 = 0
            var isOver = false
        }

        private let form: HeldForm
        private let place = LockedBox(Place())

        init(_ form: HeldForm) { self.form = form }

        func next() async throws -> [UInt8]? {
            let now = place.withLock { $0 }
            guard !now.isOver, let bytes = try form.piece(now.piece, at: now.offset) else { return nil }
            place.withLock { place in
                place.piece += 1
                place.offset += Int64(bytes.count)
            }
            return bytes
        }

        func cancel() { place.withLock { $0.isOver = true } }
    }

    // MARK: Errors

    private static var broken: SchemeTaskError {
        SchemeTaskError(
            code: .refused,
            message: "The page gave up its form before all of it was read, or could not read a file of it.")
    }

    private static func noRoom(_ error: any Error) -> SchemeTaskError {
        SchemeTaskError(
            code: .refused, message: "There is no room for the content of this form; free some space on the device.",
            cause: error)
    }
}
