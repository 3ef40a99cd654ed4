/// One request of a scenario.
struct Step: Sendable {
    var method: String
    /// What follows the scenario's own path: empty, or such as `/other` or `?a=1`.
    var path: String
    /// Field lines, `Name: value`.
    var fields: [String]
    var body: String?
    /// Seconds that pass before the request. Negative sets the clock back; such steps come last.
    var after: Int
    /// Seconds that pass between the request's arrival at the origin and its answer.
    var takes: Int
    var outcome: Outcome
    var checks: [Check]

    static func send(
        _ method: String, at path: String = "", after: Int = 0, takes: Int = 0, with fields: [String] = [],
        body: String? = nil, _ outcome: Outcome, checks: [Check]
    ) -> Step {
        Step(
            method: method, path: path, fields: fields, body: body, after: after, takes: takes, outcome: outcome,
            checks: checks)
    }

    static func send(
        _ method: String, at path: String = "", after: Int = 0, with fields: [String] = [], body: String? = nil,
        _ outcome: Outcome, _ checks: Check...
    ) -> Step {
        send(method, at: path, after: after, with: fields, body: body, outcome, checks: checks)
    }

    static func get(
        at path: String = "", after: Int = 0, takes: Int = 0, with fields: [String] = [], _ outcome: Outcome,
        _ checks: Check...
    ) -> Step {
        send("GET", at: path, after: after, takes: takes, with: fields, outcome, checks: checks)
    }

    static func head(
        at path: String = "", after: Int = 0, with fields: [String] = [], _ outcome: Outcome, _ checks: Check...
    ) -> Step {
        send("HEAD", at: path, after: after, with: fields, outcome, checks: checks)
    }

    static func post(
        at path: String = "", after: Int = 0, with fields: [String] = [], body: String = "a=1", _ outcome: Outcome,
        _ checks: Check...
    ) -> Step {
        send("POST", at: path, after: after, with: fields, body: body, outcome, checks: checks)
    }
}
