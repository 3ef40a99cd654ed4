import DemoSite

/// How far away a demo's page is, for a page of somebody else's.
package enum DemoNetwork: String, Hashable, Sendable, CaseIterable {
    /// As it is.
    case direct
    /// Behind a relay as slow as the bundled site's origin.
    case fourG = "4g"
    /// Behind one as slow as "Slow 3G" of Lighthouse.
    case slow3G = "slow-3g"

    /// `nil` where nothing is made slower.
    var shaping: Shaping? {
        switch self {
        case .direct: nil
        case .fourG: .fourG
        case .slow3G: .slow3G
        }
    }
}
