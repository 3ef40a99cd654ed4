/// How often the injected scripts have stood in for something, for the report of a session.
package struct ScriptCounts: Hashable, Sendable {
    /// Requests that it has marked or sent content for.
    package private(set) var touched: [BodyHook.Concern: Int] = [:]
    /// Faults of its own, after which a request was left to the web view as it was.
    package private(set) var faults: [BodyHook.Concern: Int] = [:]

    /// What got past ``AddressScript``.
    package private(set) var addresses = AddressCounts()

    package init() {}

    /// - Parameter mark: Of a request that has come.
    package mutating func note(_ mark: BodyHook.Mark) {
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
