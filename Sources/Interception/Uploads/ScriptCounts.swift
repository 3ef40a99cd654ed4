/// How often the injected scripts have stood in for something, for the report of a session.
public struct ScriptCounts: Hashable, Sendable {
    /// Requests that it has marked or sent content for.
    public private(set) var touched: [UploadScript.Concern: Int] = [:]
    /// Faults of its own, after which a request was left to the web view as it was.
    public private(set) var faults: [UploadScript.Concern: Int] = [:]

    /// What got past ``AddressScript``.
    public private(set) var addresses = AddressCounts()

    public init() {}

    /// - Parameter mark: Of a request that has come.
    public mutating func note(_ mark: UploadScript.Mark) {
        if let fault = mark.fault { faults[fault, default: 0] += 1 }
        if let concern = mark.concern { touched[concern, default: 0] += 1 }
        if let addresses = mark.addresses { self.addresses.add(addresses) }
        // A form's own request has no mark.
        switch mark.upload {
        case .begin(_, _, isForm: true), .hold: touched[.form, default: 0] += 1
        default: break
        }
    }
}
