import HTTPCacheSemantics
import HTTPTypes

/// Collects the request bodies that page scripts hand over in chunks, and gives each to the scheme task it belongs to,
/// once. Body and task may come in either order.
///
/// Messages come here after ``MessageGate`` has accepted them. Identities, like tokens, are secrets of the page that
/// made them, and a body is given only to the request it was meant for.
///
/// A value without clock or locks; its owner is on the main actor.
public struct RequestBodyParts: Sendable {
    public struct Limits: Hashable, Sendable {
        /// Of all bodies that are kept; the default is 64 MiB. A larger upload has to go another way.
        public var total: ByteCount
        /// Bodies that are kept, and tasks that wait for one; the default is 32 of each.
        public var open: Int
        /// Entries of one form; the default is 10,000.
        public var entries: Int
        /// How long a body or a task is kept after its last message; the default is a minute.
        public var time: Duration

        public init(
            total: ByteCount = .mebibytes(64), open: Int = 32, entries: Int = 10_000, time: Duration = .seconds(60)
        ) {
            self.total = total
            self.open = open
            self.entries = entries
            self.time = time
        }
    }

    /// The name of the request field by which a script marks the request whose body it has handed over.
    public static let identityField = "X-Larder-Body"

    private struct Body: Sendable {
        var target: RequestBodyTarget
        var kind: RequestBodyMessage.Kind
        var entries: [MultipartForm.Entry] = []
        var bytes: Int64 = 0
        var chunks = 0
        var isComplete = false
        var lastMessage: WallInstant
    }

    private struct Claim: Sendable {
        var target: RequestBodyTarget
        var since: WallInstant
    }

    private let limits: Limits
    private var random: any RandomNumberGenerator & Sendable
    private var bodies: [String: Body] = [:]
    private var claims: [String: Claim] = [:]

    public init(
        limits: Limits = Limits(), random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.limits = limits
        self.random = random
    }

    /// Bytes that are kept at the moment, with what names and entries cost.
    public var keptBytes: ByteCount { ByteCount(bodies.values.reduce(Int64(0)) { $0 + $1.bytes }) }
    /// Bodies that are kept at the moment.
    public var openBodies: Int { bodies.count }

    /// Takes the identity off a request's fields.
    public static func takeIdentity(from fields: inout HTTPFields) -> String? {
        guard let name = HTTPField.Name(identityField) else { return nil }
        defer { fields[name] = nil }
        return fields[name]
    }

    /// A message of the page.
    ///
    /// - Returns: ``RequestBodyOutcome/complete(_:)`` when the body ends and its task has come before.
    public mutating func receive(
        _ message: RequestBodyMessage, for identity: String, at now: WallInstant
    ) -> RequestBodyOutcome {
        if case .begin(let target, let kind) = message { return begin(target, kind, identity, now) }
        if bodies[identity]?.isComplete == true { return .refused(.alreadyComplete) }
        // Taken out, so that its chunks are not copied with every message.
        guard var body = bodies.removeValue(forKey: identity) else { return .refused(.unknownIdentity) }
        if let reason = add(message, to: &body) {
            claims[identity] = nil
            return .dropped(reason)
        }
        body.lastMessage = now
        bodies[identity] = body
        guard body.isComplete, claims.removeValue(forKey: identity) != nil else { return .waiting }
        return take(identity)
    }

    /// A scheme task with an identity has come.
    ///
    /// - Returns: ``RequestBodyOutcome/waiting`` when the rest of the body has to come first; the message that brings
    ///   it returns the body.
    public mutating func claim(
        _ identity: String, for target: RequestBodyTarget, at now: WallInstant
    ) -> RequestBodyOutcome {
        guard Self.isIdentity(identity) else { return .refused(.invalidIdentity) }
        guard claims[identity] == nil else { return .refused(.alreadyClaimed) }
        if let body = bodies[identity] {
            guard body.target == target else { return .refused(.otherRequest) }
            if body.isComplete { return take(identity) }
        }
        guard claims.count < limits.open else { return .refused(.tooManyBodies) }
        claims[identity] = Claim(target: target, since: now)
        return .waiting
    }

    /// The scheme task was stopped: its body is not needed.
    public mutating func drop(_ identity: String) {
        bodies[identity] = nil
        claims[identity] = nil
    }

    /// A page begins to load in the main frame: everything is dropped.
    ///
    /// - Returns: The identities whose tasks are still waiting, and have to fail.
    public mutating func pageLoaded() -> [String] {
        defer { (bodies, claims) = ([:], [:]) }
        return claims.keys.sorted()
    }

    /// Drops bodies and tasks that nothing has come for within ``Limits/time``.
    ///
    /// - Returns: The identities whose tasks were waiting, and have to fail.
    public mutating func expire(at now: WallInstant) -> [String] {
        let dropped = Set(bodies.filter { now - $0.value.lastMessage >= limits.time }.keys)
        for identity in dropped { bodies[identity] = nil }
        let late = claims.filter { identity, claim in
            dropped.contains(identity) || bodies[identity] == nil && now - claim.since >= limits.time
        }
        for identity in late.keys { claims[identity] = nil }
        return late.keys.sorted()
    }

    // MARK: - Collecting

    private mutating func begin(
        _ target: RequestBodyTarget, _ kind: RequestBodyMessage.Kind, _ identity: String, _ now: WallInstant
    ) -> RequestBodyOutcome {
        guard Self.isIdentity(identity) else { return .refused(.invalidIdentity) }
        guard bodies[identity] == nil else { return .refused(.alreadyBegun) }
        if let claim = claims[identity], claim.target != target { return .refused(.otherRequest) }
        guard bodies.count < limits.open else { return .refused(.tooManyBodies) }
        bodies[identity] = Body(target: target, kind: kind, lastMessage: now)
        if case .bytes = kind { bodies[identity]?.entries = [MultipartForm.Entry(entry: FormEntry(name: ""))] }
        return .waiting
    }

    private func add(_ message: RequestBodyMessage, to body: inout Body) -> RequestBodyOutcome.Reason? {
        switch message {
        case .begin: return .alreadyBegun
        case .end: body.isComplete = true
        case .entry(let entry):
            guard case .form = body.kind else { return .outOfOrder }
            guard body.entries.count < limits.entries else { return .tooLarge }
            let text = [entry.name, entry.file?.name, entry.file?.contentType].compactMap { $0?.utf8.count }
            guard count(text.reduce(0, +), in: &body) else { return .tooLarge }
            body.entries.append(MultipartForm.Entry(entry: entry))
        case .chunk(let number, let bytes):
            guard number == body.chunks, !body.entries.isEmpty else { return .outOfOrder }
            guard count(bytes.count, in: &body) else { return .tooLarge }
            body.chunks += 1
            // Empty chunks would cost memory that is not counted.
            if !bytes.isEmpty { body.entries[body.entries.count - 1].chunks.append(bytes) }
        }
        return nil
    }

    /// Adds to what the body costs, if that fits into the limit of all bodies. The body is none of the kept ones now.
    private func count(_ bytes: Int, in body: inout Body) -> Bool {
        let cost = body.bytes + Int64(bytes) + Self.costOfPiece
        guard keptBytes.bytes + cost <= limits.total.bytes else { return false }
        body.bytes = cost
        return true
    }

    /// What an array takes beside its bytes; otherwise chunks of one byte would take many times the limit.
    private static let costOfPiece: Int64 = 64

    private mutating func take(_ identity: String) -> RequestBodyOutcome {
        guard let body = bodies.removeValue(forKey: identity) else { return .refused(.unknownIdentity) }
        switch body.kind {
        case .bytes(let contentType):
            return .complete(FlattenedBody(pieces: body.entries.flatMap(\.chunks), contentType: contentType))
        case .form:
            guard let form = MultipartForm.encode(body.entries, random: &random) else { return .dropped(.noBoundary) }
            return .complete(form)
        }
    }

    /// A script makes it of 16 to 64 letters, digits and hyphens, such as a UUID.
    private static func isIdentity(_ text: String) -> Bool {
        (16...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D: true
                default: false
                }
            }
    }
}
