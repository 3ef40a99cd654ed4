import CacheEngine
import CacheTesting
import HTTPTypes
import Locking

/// An origin that follows the step's plan, and remembers the requests.
final class PlayedOrigin: OriginTransport {
    /// The current representation of one resource.
    struct Representation: Hashable, Sendable {
        var version = 1
        var lastModified: Int64

        func tag(_ uri: String) -> String { "\"\(uri.split(separator: "/").last ?? "")-\(version)\"" }
    }

    private struct State {
        var plan = OriginPlan()
        var hasAnswered = false
        var resources: [String: Representation] = [:]
        var contacts: [ModelContact] = []
        var count = 0
    }

    private let clock: ManualClock
    private let state: LockedBox<State>

    init(clock: ManualClock) {
        self.clock = clock
        state = LockedBox(State())
    }

    private var now: Int64 { clock.now.unixSeconds }

    /// Makes the origin follow a plan from now on, and returns its representation of a resource.
    func prepare(_ plan: OriginPlan, for uri: String) -> Representation {
        let now = now
        return state.withLock { state in
            state.plan = plan
            state.hasAnswered = false
            var resource = state.resources[uri] ?? Representation(lastModified: now - 1000)
            if plan.changes {
                resource.version += 1
                resource.lastModified = now - plan.modifiedAgo
            }
            state.resources[uri] = resource
            return resource
        }
    }

    /// The requests since the last call.
    func takeContacts() -> [ModelContact] {
        state.withLock { state in
            defer { state.contacts = [] }
            return state.contacts
        }
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let requestTime = now
        let head = request.head
        // The model knows no repeated request (RFC 9110 §9.2.2), and one that fails changes nothing.
        if state.withLock({ $0.contacts.last?.isCutOff(head.method.rawValue) }) == true {
            throw ModelFailure.closedEarly.error
        }
        let uri = ModelTarget.canonical(
            scheme: head.scheme ?? "", authority: head.authority ?? "", path: head.path ?? "")
        let (plan, resource, number) = state.withLock { state -> (OriginPlan, Representation, Int) in
            state.count += 1
            var plan = state.plan
            // A second request gets a proper answer.
            if state.hasAnswered { plan.manner = .proper }
            state.hasAnswered = true
            return (plan, state.resources[uri] ?? Representation(lastModified: requestTime - 1000), state.count)
        }
        clock.advance(by: .seconds(plan.delay))
        let answering = PlayedAnswer(
            plan: plan, resource: resource, uri: uri, number: number, now: now, method: head.method.rawValue,
            conditions: head.headerFields.map { ModelField($0.name.canonicalName, $0.value) })
        let reply = answering.reply()
        let contact = ModelContact(
            number: number, method: head.method.rawValue, target: uri, fields: answering.conditions,
            requestTime: requestTime, responseTime: now, reply: reply)
        state.withLock { $0.contacts.append(contact) }
        switch reply {
        case .failure(let failure): throw failure.error
        case .response(let response):
            return TransportResponse(
                head: HTTPResponse(status: .init(code: response.status), headerFields: HTTPFields(response.fields)),
                body: PlayedBody(response.body, endsWithError: response.isTruncated),
                bodyLength: head.method == .head ? nil : response.fields.first("content-length").flatMap { Int64($0) })
        }
    }
}

/// The content of one response, in two pieces.
final class PlayedBody: BodySource {
    private struct State {
        var pieces: [[UInt8]]
        var endsWithError: Bool
    }

    private let state: LockedBox<State>

    init(_ text: String, endsWithError: Bool) {
        let bytes = Array(text.utf8)
        let half = bytes.count / 2
        let pieces = [Array(bytes[..<half]), Array(bytes[half...])].filter { !$0.isEmpty }
        state = LockedBox(State(pieces: pieces, endsWithError: endsWithError))
    }

    func next() async throws -> [UInt8]? {
        try state.withLock { state in
            if !state.pieces.isEmpty { return state.pieces.removeFirst() }
            guard state.endsWithError else { return nil }
            throw TransportError(code: .closedEarly, message: "The plan says so.")
        }
    }

    func cancel() {
        state.withLock { $0 = State(pieces: [], endsWithError: false) }
    }
}

extension ModelContact {
    /// Whether the connection ended before the answer to a request with this method did.
    fileprivate func isCutOff(_ method: String) -> Bool {
        guard method == self.method else { return false }
        return switch reply {
        case .failure(let failure): failure == .closedEarly
        case .response(let response): response.isTruncated
        }
    }
}

extension ModelFailure {
    var error: TransportError {
        let code: TransportError.Code =
            switch self {
            case .noAddress: .nameNotResolved
            case .refused: .connectionFailed
            case .timedOut: .timedOut
            case .closedEarly: .closedEarly
            case .malformed: .malformedResponse
            case .untrusted: .certificateUntrusted
            }
        return TransportError(code: code, message: "The plan says so.")
    }
}

extension HTTPFields {
    init(_ fields: [ModelField]) {
        self.init()
        for field in fields {
            if let name = HTTPField.Name(field.name) { append(HTTPField(name: name, value: field.value)) }
        }
    }
}
