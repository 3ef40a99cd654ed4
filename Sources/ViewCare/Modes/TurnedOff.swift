import CacheRules

/// The part of Larder that publishers have turned off from afar, by the heads of signed manifests.
package struct TurnedOff: Hashable, Sendable {
    /// As the heads have them: names of modes, hosts such as `shop.example` and `*.shop.example`, `*` for everything.
    package var names: Set<String>

    package init(_ names: Set<String> = []) { self.names = names }

    /// Why a mode is not to be used; `nil` where it is not turned off.
    package func fault(of mode: InterceptionMode) -> String? {
        guard names.contains(mode.rawValue) || names.contains("*") else { return nil }
        return "The publisher has turned it off, by a signed manifest."
    }

    /// A policy in which nothing of these hosts is stored or answered from the store, whatever its other rules say.
    package func before(_ rules: RuleList) -> RuleList {
        guard !names.contains("*") else { return rules.preceded(by: Rule(Rule.turnedOffName, .bypass)) }
        let hosts = names.filter { InterceptionMode(rawValue: $0) == nil }.sorted()
        return hosts.isEmpty ? rules : rules.preceded(by: Rule(Rule.turnedOffName, .bypass, when: .host(hosts)))
    }
}
