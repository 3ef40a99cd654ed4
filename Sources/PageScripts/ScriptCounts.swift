/// How often the injected scripts have stood in for something, for the report of a session.
package struct ScriptCounts: Hashable, Sendable {
    /// Requests that it has marked or sent content for.
    package private(set) var touched: [PagePatch: Int] = [:]
    /// Faults of its own, after which a request was left to the web view as it was.
    package private(set) var faults: [PagePatch: Int] = [:]

    /// Addresses that got past ``AddressScript``.
    package private(set) var addresses = AddressCounts()

    package init() {}

    /// - Parameter mark: The mark of a request that has come.
    package mutating func note(_ mark: UploadScript.Mark) {
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

/// Counts the addresses that got past ``AddressScript`` on pages at the app-cache scheme.
package struct AddressCounts: Hashable, Sendable {
    /// Addresses in documents that no one had turned, and that were turned when they were there. Some were asked for
    /// before.
    package private(set) var repaired = 0
    /// Requests that went to a named host itself. Where the page goes, beacons and sockets are not meant to be turned,
    /// nor counted; nor is what workers ask for.
    package private(set) var escaped = 0
    /// Faults of the scripts, each of which left an address as it was.
    package private(set) var faults = 0
    /// Documents on which nothing is turned any more: there were 8 faults, or 100 of ``repaired`` and ``escaped``.
    package private(set) var fallbacks = 0

    package init() {}

    /// Limits what one report may add to each count.
    static let mostInReport = 1_000

    /// - Parameter report: `repaired.escaped.faults.fallbacks`, each since the last report of its document.
    ///
    /// Returns `nil` for anything else.
    init?(report: Substring) {
        let counts = report.split(separator: ".", omittingEmptySubsequences: false).map { UInt16($0).map(Int.init) }
        guard counts.count == 4, let repaired = counts[0], let escaped = counts[1], let faults = counts[2],
            let fallbacks = counts[3]
        else { return nil }
        self.repaired = min(repaired, Self.mostInReport)
        self.escaped = min(escaped, Self.mostInReport)
        self.faults = min(faults, Self.mostInReport)
        self.fallbacks = min(fallbacks, 1)
    }

    mutating func add(_ other: Self) {
        Self.add(other.repaired, to: &repaired)
        Self.add(other.escaped, to: &escaped)
        Self.add(other.faults, to: &faults)
        Self.add(other.fallbacks, to: &fallbacks)
    }

    private static func add(_ count: Int, to sum: inout Int) {
        let (result, overflow) = sum.addingReportingOverflow(count)
        sum = overflow ? .max : result
    }
}
