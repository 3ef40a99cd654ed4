/// How often the injected script has stood in for something, for the report of a session.
public struct ScriptCounts: Hashable, Sendable {
    /// Requests that it has marked or sent content for.
    public private(set) var touched: [BodyHook.Concern: Int] = [:]
    /// Faults of its own, after which a request was left to the web view as it was.
    public private(set) var faults: [BodyHook.Concern: Int] = [:]

    public init() {}

    /// - Parameter mark: Of a request that has come.
    public mutating func note(_ mark: BodyHook.Mark) {
        if let fault = mark.fault { faults[fault, default: 0] += 1 }
        if let concern = mark.concern { touched[concern, default: 0] += 1 }
        // A form's own request has no mark.
        switch mark.upload {
        case .begin(_, _, isForm: true), .hold: touched[.form, default: 0] += 1
        default: break
        }
    }
}
