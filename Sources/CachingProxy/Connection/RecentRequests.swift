#if Proxy
import CacheEngine
import Locking
import NIOCore
import ResponseStore

/// Requests that were answered at once, by the octets of their heads.
///
/// A web view that opens a page again asks for its files in the same words. What such a request means was worked out
/// and checked the first time, and the same octets in the same place can't mean anything else: so they are not read
/// again, which leaves no second reader that could take them for another request (RFC 9112 §11.2). A head is kept the
/// second time that it comes, and in memory only.
final class RecentRequests: Sendable {
    /// Longer heads are read each time.
    static let headLimit = 2_048
    /// More than the requests of several pages. Each head has one place, and takes it from the one before.
    static let limit = 512

    /// An answer that may be given again.
    struct Answer: Sendable {
        var standing: StandingAnswer
        /// Whether the connection is closed behind it.
        var closes: Bool
    }

    /// What is known of a head.
    enum Finding: Sendable {
        case nothing
        /// It has come before; the answer is worth keeping.
        case seen
        case answered(Answer)
    }

    private struct Place: Sendable {
        var hash = 0
        /// Empty until there is an answer.
        var octets = ByteBuffer()
        var role = ProxyRequestHandler.Role.listener
        var answer: Answer?
    }

    private struct State: Sendable {
        var places = [Place](repeating: Place(), count: limit)
        var answers = 0
    }

    private let state = LockedBox(State())

    /// How often an answer was found.
    var answers: Int { state.withLock { $0.answers } }

    /// - Parameter octets: A whole head, up to the empty line at its end.
    func find(_ octets: ByteBuffer, _ role: ProxyRequestHandler.Role) -> Finding {
        guard let hash = Self.hash(octets) else { return .nothing }
        return state.withLock { state -> Finding in
            let index = Self.index(hash)
            guard state.places[index].hash == hash else {
                state.places[index] = Place(hash: hash)
                return .nothing
            }
            guard let answer = state.places[index].answer, state.places[index].octets == octets,
                state.places[index].role == role
            else { return .seen }
            state.answers += 1
            return .answered(answer)
        }
    }

    func keep(_ answer: Answer, to octets: ByteBuffer, _ role: ProxyRequestHandler.Role) {
        guard let hash = Self.hash(octets) else { return }
        // A copy: the buffer is a part of a larger one.
        let copy = ByteBuffer(bytes: octets.readableBytesView)
        let place = Place(hash: hash, octets: copy, role: role, answer: answer)
        state.withLock { $0.places[Self.index(hash)] = place }
    }

    /// Forgets the requests of what was removed: their heads have cookies.
    func forget(_ selection: EntrySelection) {
        state.withLock { state in
            for index in state.places.indices
            where state.places[index].answer?.standing.isMeant(by: selection) == true { state.places[index] = Place() }
        }
    }

    /// How many heads are in memory.
    var count: Int { state.withLock { $0.places.count { $0.answer != nil } } }

    private static func hash(_ octets: ByteBuffer) -> Int? {
        guard octets.readableBytes <= headLimit else { return nil }
        var hasher = Hasher()
        octets.withUnsafeReadableBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    private static func index(_ hash: Int) -> Int { Int(UInt(bitPattern: hash) % UInt(limit)) }
}
#endif
