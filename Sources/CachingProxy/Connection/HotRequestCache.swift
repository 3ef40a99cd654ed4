#if Proxy
import CacheEngine
import HTTPCacheSemantics
import HTTPMessages
import HTTPTypes
import Locking
import NIOCore
import ResponseStore

/// The meaning of repeated requests, keyed by the octets of their heads.
///
/// A web view that opens a page again requests its files with the same octets. On the same kind of connection they mean
/// the same, so they are not parsed again; that leaves no second parser that could take them for another request (RFC
/// 9112 §11.2). Answers are not kept. A head is kept when it comes again and a stored response answers it at once, in
/// memory only.
final class HotRequestCache: Sendable {
    /// The longest head that is kept, in octets.
    static let headLimit = 2_048
    /// How many heads are kept: more than several pages request. Each head has one place, and replaces the one that had
    /// it.
    static let limit = 512

    /// Whether a head is known.
    enum Finding: Sendable {
        case nothing
        /// The head has come once before.
        case seen
        case known(ReadRequest)
    }

    private struct Place: Sendable {
        var hash = 0
        /// Empty until a request is kept.
        var octets = ByteBuffer()
        var role = ProxyRequestHandler.Role.listener
        var request: ReadRequest?
    }

    private struct State: Sendable {
        var places = [Place](repeating: Place(), count: HotRequestCache.limit)
        var findings = 0
    }

    private let state = LockedBox(State())

    /// How often a request was found.
    var findings: Int { state.withLock { $0.findings } }

    /// - Parameter octets: A whole head, up to the empty line at its end.
    func find(_ octets: ByteBuffer, _ role: ProxyRequestHandler.Role) -> Finding {
        guard let hash = Self.hash(octets) else { return .nothing }
        return state.withLock { state -> Finding in
            let index = Self.index(hash)
            guard state.places[index].hash == hash else {
                state.places[index] = Place(hash: hash)
                return .nothing
            }
            guard let request = state.places[index].request, state.places[index].octets == octets,
                state.places[index].role == role
            else { return .seen }
            state.findings += 1
            return .known(request)
        }
    }

    func keep(_ request: ReadRequest, octets: ByteBuffer, _ role: ProxyRequestHandler.Role) {
        guard let hash = Self.hash(octets) else { return }
        // A copy, because the buffer is a slice of a larger one.
        let copy = ByteBuffer(bytes: octets.readableBytesView)
        let place = Place(hash: hash, octets: copy, role: role, request: request)
        state.withLock { $0.places[Self.index(hash)] = place }
    }

    /// Forgets the requests that a removal means: their heads have cookies.
    func forget(_ selection: EntrySelection) {
        state.withLock { state in
            for index in state.places.indices
            where state.places[index].request?.prepared.isMeant(by: selection) == true {
                state.places[index] = Place()
            }
        }
    }

    /// How many heads are in memory.
    var count: Int { state.withLock { $0.places.count { $0.request != nil } } }

    private static func hash(_ octets: ByteBuffer) -> Int? {
        guard octets.readableBytes <= headLimit else { return nil }
        var hasher = Hasher()
        octets.withUnsafeReadableBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    private static func index(_ hash: Int) -> Int { Int(UInt(bitPattern: hash) % UInt(limit)) }
}

/// The octets of the head that all answers from one stored response share, kept with the response.
///
/// Answers differ in `Age`, `Content-Range` and the proxy's own fields only, and within a second usually in nothing.
final class PreparedHead: Sendable {
    private enum Piece {
        case octets(ByteBuffer)
        case age
        case contentRange
    }

    /// The last octets made, and the answer they were made for: the whole head, or for a 206 the proxy's own fields.
    private struct Last {
        var age: Int64
        var cacheStatus: CacheStatus
        var closes: Bool
        var octets: ByteBuffer
    }

    private let proxy: ProxyServer.Identity
    private let pieces: [Piece]
    private let last = LockedBox<Last?>(nil)

    private init(_ head: HTTPResponse, _ framing: MessageFraming, hasRange: Bool, proxy: ProxyServer.Identity) {
        self.proxy = proxy
        var pieces: [Piece] = []
        var octets = ByteBuffer()
        MessageWriter.write(head.status, to: &octets)
        for field in head.headerFields where !MessageWriter.isReplaced(field.name, framing, .response) {
            let isOpen = field.name == .age || (hasRange && field.name == .contentRange)
            guard isOpen else {
                MessageWriter.write(proxy.origin?.translated(field) ?? field, to: &octets)
                continue
            }
            octets.writeString(field.name.rawName + ": ")
            pieces += [.octets(octets), field.name == .age ? .age : .contentRange]
            octets = ByteBuffer(string: "\r\n")
        }
        self.pieces = pieces + [.octets(octets)]
    }

    /// The head of an answer, ready to be sent.
    static func octets(of answer: ImmediateAnswer, closes: Bool, proxy: ProxyServer.Identity) -> ByteBuffer {
        if let known = answer.template.attachment as? PreparedHead, known.proxy === proxy {
            return known.octets(of: answer, closes: closes)
        }
        let prepared = PreparedHead(
            answer.template.head, framing(of: answer), hasRange: answer.contentRange != nil, proxy: proxy)
        answer.template.attach(prepared)
        return prepared.octets(of: answer, closes: closes)
    }

    private static func framing(of answer: ImmediateAnswer) -> MessageFraming {
        answer.content == nil ? .none : .length(Int64(answer.region.count))
    }

    private func octets(of answer: ImmediateAnswer, closes: Bool) -> ByteBuffer {
        let known = last.withLock { last -> ByteBuffer in
            if let last, last.age == answer.age, last.closes == closes, last.cacheStatus == answer.cacheStatus {
                return last.octets
            }
            var octets = added(to: answer, closes: closes)
            if answer.contentRange == nil { octets = whole(answer, adding: octets) }
            last = Last(age: answer.age, cacheStatus: answer.cacheStatus, closes: closes, octets: octets)
            return octets
        }
        return answer.contentRange == nil ? known : whole(answer, adding: known)
    }

    private func added(to answer: ImmediateAnswer, closes: Bool) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.reserveCapacity(256)
        MessageWriter.write(proxy.via, to: &bytes)
        if proxy.sendsCacheStatus {
            MessageWriter.write(HTTPField(name: .cacheStatus, value: answer.cacheStatus.description), to: &bytes)
        }
        if closes { bytes.writeStaticString("Connection: close\r\n") }
        return bytes
    }

    private func whole(_ answer: ImmediateAnswer, adding added: ByteBuffer) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.reserveCapacity(1_024)
        for piece in pieces {
            switch piece {
            case .octets(let octets): bytes.writeImmutableBuffer(octets)
            case .age: bytes.writeString(String(answer.age))
            case .contentRange: bytes.writeString(answer.contentRange ?? "")
            }
        }
        bytes.writeImmutableBuffer(added)
        MessageWriter.writeEnd(Self.framing(of: answer), to: &bytes)
        return bytes
    }
}
#endif
