/// One field line.
struct ModelField: Hashable, Sendable, CustomStringConvertible {
    /// The field name in lower case.
    let name: String
    let value: String

    init(_ name: String, _ value: String) {
        self.name = name.lowercased()
        self.value = value
    }

    var description: String { "\(name): \(value)" }
}

/// A request as the client presents it.
struct ModelRequest: Hashable, Sendable {
    var partition: String
    var method: String
    var scheme: String
    var authority: String
    var path: String
    var fields: [ModelField]
    /// Whether the cache was told that there is no network.
    var isDisconnected = false

    /// The target URI in one spelling, RFC 9110 §4.2.3.
    var target: String { ModelTarget.canonical(scheme: scheme, authority: authority, path: path) }
    var directives: ModelDirectives { ModelDirectives(fields.values("cache-control")) }
    /// Whether a stored response can answer the method.
    var isRead: Bool { method == "GET" || method == "HEAD" }
}

/// A response as the origin sends it.
struct ModelResponse: Hashable, Sendable {
    var status: Int
    var fields: [ModelField]
    /// The content that arrives.
    var body: String
    /// The whole representation of which ``body`` is a part.
    var representation: String
    /// Whether the content ends before its stated length.
    var isTruncated = false
}

/// How an attempt to reach the origin failed before a response head came.
enum ModelFailure: String, Hashable, Sendable, CaseIterable {
    case noAddress, refused, timedOut, closedEarly, malformed, untrusted
}

/// One request that reached the origin, and what came back.
struct ModelContact: Hashable, Sendable {
    enum Reply: Hashable, Sendable {
        case response(ModelResponse)
        case failure(ModelFailure)
    }

    /// Counts the requests that reached the origin; responses carry it in `X-Exchange`.
    var number: Int
    var method: String
    var target: String
    var fields: [ModelField]
    var requestTime: Int64
    var responseTime: Int64
    var reply: Reply

    var response: ModelResponse? {
        if case .response(let response) = reply { return response }
        return nil
    }
}

/// The answer that the client got.
struct ModelAnswer: Hashable, Sendable {
    var status: Int
    var fields: [ModelField]
    var body: String
    /// Whether the content ended with an error.
    var brokeOff = false
    /// The reason of an error answer of the cache's own; `nil` for other answers.
    var failure: String?
    var saysHit = false
    var saysForwarded = false
    var saysStored = false
}

/// One row of the history: a presented request and all that followed from it.
struct ModelExchange: Hashable, Sendable {
    var step: Int
    var request: ModelRequest
    var presentedAt: Int64
    var contacts: [ModelContact]
    var answer: ModelAnswer
    var answeredAt: Int64
}

extension [ModelField] {
    /// The lines of one field, in order.
    func values(_ name: String) -> [String] { filter { $0.name == name }.map(\.value) }

    func first(_ name: String) -> String? { first { $0.name == name }?.value }

    func has(_ name: String) -> Bool { contains { $0.name == name } }

    /// The members of all lines of a list field.
    func list(_ name: String) -> [String] { values(name).flatMap { ModelText.list($0) } }

    func without(_ names: [String]) -> [ModelField] { filter { !names.contains($0.name) } }

    /// The fields without those for one connection only (RFC 9110 §7.6.1).
    var endToEnd: [ModelField] {
        let listed = list("connection").map { $0.lowercased() }
        return without(["connection", "keep-alive", "te", "transfer-encoding", "upgrade"] + listed)
    }
}
