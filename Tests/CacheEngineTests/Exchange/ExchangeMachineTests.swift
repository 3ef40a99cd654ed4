import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore
import Testing

@testable import CacheEngine

/// Events in, actions out: nothing here waits, stores or sends.
@Suite("ExchangeMachine")
struct ExchangeMachineTests {
    private static let now = WallInstant(unixSeconds: 1_700_000_000)

    private static func machine(
        _ fields: HTTPFields = [:], method: HTTPRequest.Method = .get, rules: RuleList = .protocolOnly,
        connectivity: Connectivity = .connected, kind: CacheKind = .private, hasContent: Bool = false
    ) -> ExchangeMachine {
        let head = HTTPRequest(
            method: method, scheme: "https", authority: "example.com", path: "/a", headerFields: fields)
        let body = hasContent ? RequestBody(ScriptedBody([]), length: 0) : nil
        return ExchangeMachine(
            PreparedRequest(
                EngineRequest(head: head, body: body, context: ExchangeContext(connectivity: connectivity)),
                policy: .init(rules: rules), settings: .init(kind: kind)))
    }

    private static let digest: BodyDigest = {
        guard let digest = BodyDigest([UInt8](repeating: 0, count: 32)) else {
            preconditionFailure("32 bytes are a digest")
        }
        return digest
    }()

    private static func entry(
        _ fields: HTTPFields, age: Int64 = 0, id: Int64 = 1, nominated: [String: String?] = [:]
    ) -> StoredEntry {
        let time = WallInstant(unixSeconds: now.unixSeconds - age)
        return StoredEntry(
            id: .init(rawValue: id), key: CacheKey(uri: "https://example.com/a"),
            response: StoredResponse(
                nominatedFields: NominatedFields(values: nominated), status: .ok, fields: fields, requestTime: time,
                responseTime: time),
            bodyDigest: digest, bodyLength: .zero, inlineBody: [])
    }

    /// An action in a few words, for readable tables.
    private static func words(_ action: ExchangeMachine.Action) -> String {
        switch action {
        case .lookUp: "look up"
        case .serve(let entry, let use): "serve \(entry.id.rawValue) \(use)"
        case .forward(let head, let mayCollapse):
            "forward" + (head.headerFields[.ifNoneMatch].map { " if-none-match \($0)" } ?? "")
                + (mayCollapse ? " collapsing" : "")
        case .freshen(let freshened): "freshen \(freshened.entry.id.rawValue) validated"
        case .relay(let relay): relay.plan != nil ? "relay storing" : "relay \(relay.notStored?.rawValue ?? "-")"
        case .fail(let error): "fail \(error.code.name)"
        }
    }

    struct Start: Sendable, CustomTestStringConvertible {
        var section: String
        var machine: ExchangeMachine
        var action: String
        var status: String
        var testDescription: String { "\(section): \(action)" }
    }

    private static let onlyStored = RuleList([Rule.disconnected])
    private static let bypass = RuleList([Rule("live", .bypass, when: .pathPrefix("/"))])

    @Test(
        "the first event",
        arguments: [
            Start(section: "9111 §4", machine: machine(), action: "look up", status: "Larder"),
            Start(section: "9111 §4", machine: machine(method: .head), action: "look up", status: "Larder"),
            Start(
                section: "9211 §2.2 method", machine: machine(method: .post), action: "forward",
                status: "Larder; fwd=method"),
            Start(
                section: "9111 §4.3.2", machine: machine([.ifMatch: "\"1\""]), action: "forward",
                status: "Larder; fwd=request"),
            Start(
                section: "9111 §4.3.2", machine: machine([.ifUnmodifiedSince: "x"]), action: "forward",
                status: "Larder; fwd=request"),
            Start(
                section: "9110 §9.3.1", machine: machine(hasContent: true), action: "forward",
                status: "Larder; fwd=bypass"),
            Start(
                section: "9211 §2.2 bypass", machine: machine(rules: bypass), action: "forward",
                status: "Larder; fwd=bypass; detail=live"),
            Start(
                section: "disconnected", machine: machine(rules: onlyStored, connectivity: .disconnected),
                action: "look up", status: "Larder; detail=disconnected"),
            Start(
                section: "disconnected",
                machine: machine(method: .put, rules: onlyStored, connectivity: .disconnected),
                action: "fail disconnected", status: "Larder; fwd=method; detail=disconnected"),
        ])
    func start(_ row: Start) {
        var machine = row.machine
        #expect(Self.words(machine.start()) == row.action)
        #expect(machine.status.description == row.status)
    }

    struct LookUp: Sendable, CustomTestStringConvertible {
        var section: String
        var request: HTTPFields = [:]
        var entries: [StoredEntry]
        var action: String
        var status: String
        var testDescription: String { "\(section): \(request) \(action)" }
    }

    private static let fresh: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"1\""]

    @Test(
        "after the look-up",
        arguments: [
            LookUp(
                section: "9211 §2.2 uri-miss", entries: [], action: "forward collapsing",
                status: "Larder; fwd=uri-miss"),
            LookUp(
                section: "9211 §2.2 vary-miss", entries: [entry(fresh, nominated: ["accept": "a"])],
                action: "forward if-none-match \"1\" collapsing", status: "Larder; fwd=vary-miss"),
            LookUp(
                section: "9111 §4.2", entries: [entry(fresh, age: 59)], action: "serve 1 fresh",
                status: "Larder; hit; ttl=1"),
            LookUp(
                section: "9111 §4.2", entries: [entry(fresh, age: 60)],
                action: "forward if-none-match \"1\" collapsing", status: "Larder; fwd=stale"),
            LookUp(
                section: "9111 §4.1, the most recent of several",
                entries: [entry(fresh, age: 30, id: 1), entry(fresh, age: 10, id: 2), entry(fresh, age: 20, id: 3)],
                action: "serve 2 fresh", status: "Larder; hit; ttl=50"),
            LookUp(
                section: "9111 §4.2.4", request: [.cacheControl: "max-stale=100"], entries: [entry(fresh, age: 90)],
                action: "serve 1 stale", status: "Larder; hit; ttl=-30; detail=max-stale"),
            LookUp(
                section: "9111 §5.2.2.4", entries: [entry([.cacheControl: "no-cache", .eTag: "\"1\""])],
                action: "forward if-none-match \"1\" collapsing", status: "Larder; fwd=stale"),
            LookUp(
                section: "9111 §5.2.1.4", request: [.cacheControl: "no-cache"], entries: [entry(fresh)],
                action: "forward if-none-match \"1\"", status: "Larder; fwd=request"),
            LookUp(
                section: "9111 §5.2.1.1", request: [.cacheControl: "max-age=5"], entries: [entry(fresh, age: 10)],
                action: "forward if-none-match \"1\"", status: "Larder; fwd=request"),
            LookUp(
                section: "9111 §5.2.1.7", request: [.cacheControl: "only-if-cached"], entries: [],
                action: "fail only-if-cached", status: "Larder; fwd=uri-miss; detail=only-if-cached"),
            LookUp(
                section: "9111 §5.2.1.7", request: [.cacheControl: "only-if-cached"], entries: [entry(fresh, age: 99)],
                action: "fail only-if-cached", status: "Larder; fwd=stale; detail=only-if-cached"),
            LookUp(
                section: "9111 §4 collapsing", request: [.authorization: "x"], entries: [], action: "forward",
                status: "Larder; fwd=uri-miss"),
            LookUp(
                section: "9111 §4 collapsing", request: [.range: "bytes=0-1"], entries: [], action: "forward",
                status: "Larder; fwd=uri-miss"),
            LookUp(
                section: "9111 §5.2.1.5", request: [.cacheControl: "no-store"], entries: [], action: "forward",
                status: "Larder; fwd=uri-miss"),
            // The store's condition replaces the client's; without a stored validator the client's stays.
            LookUp(
                section: "9111 §4.3.1", request: [.ifNoneMatch: "\"7\""], entries: [entry(fresh, age: 99)],
                action: "forward if-none-match \"1\"", status: "Larder; fwd=stale"),
            LookUp(
                section: "9111 §4.3.1", request: [.ifNoneMatch: "\"7\""],
                entries: [entry([.cacheControl: "max-age=60"], age: 99)], action: "forward if-none-match \"7\"",
                status: "Larder; fwd=stale"),
        ])
    func lookedUp(_ row: LookUp) {
        var machine = Self.machine(row.request)
        _ = machine.start()
        #expect(Self.words(machine.lookedUp(row.entries, at: Self.now)) == row.action)
        #expect(machine.status.description == row.status)
    }

    /// A machine that has sent a validation of a stale entry.
    private static func validating(_ cacheControl: String = "max-age=60") -> ExchangeMachine {
        var machine = machine()
        _ = machine.start()
        _ = machine.lookedUp([entry([.cacheControl: cacheControl, .eTag: "\"1\""], age: 99)], at: now)
        return machine
    }

    private static func receive(_ machine: inout ExchangeMachine, _ status: Int, _ fields: HTTPFields) -> String {
        let head = HTTPResponse(status: .init(code: status), headerFields: fields)
        return words(machine.received(.init(head: head, requestTime: now, responseTime: now)))
    }

    struct Answer: Sendable, CustomTestStringConvertible {
        var section: String
        var status: Int
        var fields: HTTPFields = [:]
        var action: String
        var testDescription: String { "\(section): \(status) \(fields) \(action)" }
    }

    @Test(
        "the origin's answers to a validation",
        arguments: [
            Answer(section: "9111 §4.3.3", status: 304, fields: [.eTag: "\"1\""], action: "freshen 1 validated"),
            Answer(section: "9111 §4.3.3", status: 304, action: "freshen 1 validated"),
            Answer(section: "9111 §4.3.4", status: 304, fields: [.eTag: "\"2\""], action: "forward collapsing"),
            Answer(section: "9111 §4.3.3", status: 200, fields: fresh, action: "relay storing"),
            Answer(section: "9111 §4.3.3", status: 500, action: "relay no-explicit-freshness"),
            Answer(section: "9111 §3", status: 200, fields: [.cacheControl: "no-store"], action: "relay no-store"),
        ])
    func receivedByValidation(_ row: Answer) {
        var machine = Self.validating()
        #expect(Self.receive(&machine, row.status, row.fields) == row.action)
    }

    @Test("RFC 9211 §2.3: fwd-status is the status of the response that was used")
    func forwardStatus() {
        var machine = Self.validating()
        _ = Self.receive(&machine, 304, [.eTag: "\"2\""])
        #expect(machine.status.forwardStatus == nil)
        #expect(Self.receive(&machine, 200, Self.fresh) == "relay storing")
        #expect(machine.status.description == "Larder; fwd=stale; stored")
    }

    @Test("a 304 to a second, unconditional request is the origin's error, not followed by another request")
    func noLoop() {
        var machine = Self.validating()
        _ = Self.receive(&machine, 304, [.eTag: "\"2\""])
        #expect(Self.receive(&machine, 304, [.eTag: "\"2\""]) == "fail origin-error")
    }

    struct Failure: Sendable, CustomTestStringConvertible {
        var stored: String
        var code: TransportError.Code
        var action: String
        var testDescription: String { "\(stored): \(code) \(action)" }
    }

    @Test(
        "RFC 9111 §4.2.4: the origin sends no response",
        arguments: [
            Failure(stored: "max-age=60", code: .connectionFailed, action: "serve 1 stale"),
            Failure(stored: "max-age=60", code: .timedOut, action: "serve 1 stale"),
            Failure(stored: "max-age=60", code: .certificateUntrusted, action: "fail origin-certificate"),
            Failure(stored: "max-age=60", code: .closedEarly, action: "serve 1 stale"),
            Failure(
                stored: "max-age=60, must-revalidate", code: .connectionFailed, action: "fail origin-unreachable"),
            Failure(stored: "no-cache", code: .nameNotResolved, action: "fail origin-unreachable"),
        ])
    func failed(_ row: Failure) {
        var machine = Self.validating(row.stored)
        #expect(Self.words(machine.failed(TransportError(code: row.code, message: ""), at: Self.now)) == row.action)
    }

    @Test("a rule that stores explicit freshness only does not store heuristic freshness")
    func storeOnlyIfExplicit() {
        let rules = RuleList([Rule("api", .storeOnlyIfExplicit, when: .pathPrefix("/"))])
        for (fields, action) in [
            ([.lastModified: "Tue, 14 Nov 2023 21:00:00 GMT"] as HTTPFields, "relay no-explicit-freshness"),
            ([.cacheControl: "max-age=1"], "relay storing"), ([.cacheControl: "no-cache"], "relay storing"),
        ] {
            var machine = Self.machine(rules: rules)
            _ = machine.start()
            _ = machine.lookedUp([], at: Self.now)
            #expect(Self.receive(&machine, 200, fields) == action)
        }
    }
}
