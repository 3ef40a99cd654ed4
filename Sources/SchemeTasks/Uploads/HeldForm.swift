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
        /// `nil` once it has failed.
        var space: (any UploadSpace)?
        /// The number of the next piece.
        var next = 0
        var taken: Int64 = 0
        var isWriting = false
        var isReleased = false
        var claim: String?
        var end: End?
        var beginner = Waiters<End>()
        var waiting = Waiters<Void>()
    }

    let id: UploadID
    /// The URL of the request that it belongs to, without fragment.
    let url: String
    /// In bytes.
    let length: Int64
    private let state: LockedBox<State>

    init(_ id: UploadID, url: String, length: Int64, space: any UploadSpace) {
        (self.id, self.url, self.length) = (id, url, length)
        state = LockedBox(State(space: space))
    }

    /// One that can't be had.
    init(_ id: UploadID, url: String, refusedBecause error: SchemeTaskError) {
        (self.id, self.url, length) = (id, url, 0)
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
        let (known, ends) = state.withLock { ($0.end, $0.beginner.add()) }
        if let known { return known }
        for await end in ends { return end }
        finish(.left)
        return state.withLock { $0.end } ?? .left
    }

    /// Stores a piece.
    func give(_ bytes: [UInt8], number: Int) -> PageUpload.Outcome {
        let (space, isBroken) = state.withLock { state -> ((any UploadSpace)?, Bool) in
            guard case .collecting = state.progress else { return (nil, false) }
            guard number == state.next, !state.isWriting, !bytes.isEmpty,
                bytes.count <= PageUpload.greatestPiece, Int64(bytes.count) <= length - state.taken
            else { return (nil, true) }
            state.isWriting = true
            return (state.space, false)
        }
        if isBroken { fail() }
        guard let space else { return .failed }
        do {
            try space.append(bytes)
        } catch {
            finish(.failed, Self.noRoom(error))
            return .failed
        }
        return state.withLock { state -> PageUpload.Outcome in
            state.isWriting = false
            guard case .collecting = state.progress else { return .failed }
            state.next += 1
            state.taken += Int64(bytes.count)
            if state.taken == length {
                state.progress = .whole
                state.waiting.wake(())
            }
            return .taken
        }
    }

    /// The page could not read its file, or broke the rules.
    func fail() { finish(.failed) }

    /// - Parameter error: Why a form fails that is not whole.
    private func finish(_ end: End, _ error: SchemeTaskError = broken) {
        state.withLock { state in
            if case .collecting = state.progress {
                (state.progress, state.space) = (.failed(error), nil)
            } else if end == .failed {
                return
            }
            state.end = state.end ?? end
            state.beginner.wake(end)
            state.waiting.wake(())
        }
    }

    // MARK: For the web view

    /// Waits until all of it is there, or will never be. From then on it no longer depends on its page.
    func release() async {
        let ends = state.withLock { state -> AsyncStream<Void>? in
            guard case .collecting = state.progress else { return nil }
            return state.waiting.add()
        }
        if let ends { for await _ in ends {} }
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
        let (isFirst, error) = state.withLock { state -> (Bool, SchemeTaskError?) in
            guard state.claim == nil else { return (false, nil) }
            switch state.progress {
            case .failed(let error): return (false, error)
            case .collecting: return (false, Self.broken)
            case .whole:
                state.claim = type
                return (true, nil)
            }
        }
        if let error {
            fail()
            throw error
        }
        if isFirst { finish(.claimed) }
        return isFirst
    }

    /// Whether a request with this `Content-Type` is the one that claimed it, sent once more: the web view has drawn
    /// the boundary in it at random.
    func wasClaimed(by type: String) -> Bool { state.withLock { $0.claim == type } }

    // MARK: To the origin

    /// Reads it from its beginning.
    func makeSource() -> any BodySource { Reader(self) }

    private func read(at offset: Int64) throws -> [UInt8]? {
        let (space, taken) = state.withLock { ($0.space, $0.taken) }
        let count = Int(min(Int64(PageUpload.greatestPiece), taken - offset))
        guard count > 0 else { return nil }
        guard let bytes = try space?.read(at: offset, count: count), bytes.count == count else { throw Self.broken }
        return bytes
    }

    private final class Reader: BodySource {
        private let form: HeldForm
        private let offset = LockedBox<Int64>(0)

        init(_ form: HeldForm) { self.form = form }

        func next() async throws -> [UInt8]? {
            let start = offset.withLock { $0 }
            guard let bytes = try form.read(at: start) else { return nil }
            offset.withLock { if $0 == start { $0 += Int64(bytes.count) } }
            return bytes
        }

        func cancel() { offset.withLock { $0 = .max } }
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

/// Memory for a short form.
final class UploadBuffer: UploadSpace {
    private let content = LockedBox<[UInt8]>([])

    func append(_ bytes: [UInt8]) { content.withLock { $0 += bytes } }

    func read(at offset: Int64, count: Int) -> [UInt8] {
        content.withLock { Array($0.dropFirst(Int(offset)).prefix(count)) }
    }
}
