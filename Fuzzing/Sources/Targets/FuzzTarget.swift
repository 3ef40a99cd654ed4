/// One reader under test: its input, and the claims that must hold for any input.
protocol FuzzTarget: Sendable {
    /// The folder of its corpus, and the argument that chooses it.
    static var name: String { get }
    /// Inputs for which a careless reader takes quadratic time.
    static var shapes: [HostileShape] { get }
    /// Reads the input and checks its claims, in time proportional to its length.
    static func check(_ input: FuzzInput) throws(BrokenClaim)
}

/// A claim that did not hold, with its values.
struct BrokenClaim: Error, CustomStringConvertible {
    var description: String
}

/// Checks a claim.
///
/// - Parameter values: Are printed if it does not hold.
func claim(
    _ holds: Bool, _ text: StaticString, _ values: @autoclosure () -> [Any] = []
) throws(BrokenClaim) {
    guard !holds else { return }
    throw BrokenClaim(description: "\(text): \(values().map { String(reflecting: $0) }.joined(separator: ", "))")
}

/// All targets. Every reader needs one.
enum FuzzTargets {
    static let all: [any FuzzTarget.Type] = [
        AuthorityTarget.self, ByteRangeTarget.self, CacheControlTarget.self, CacheStatusTarget.self,
        ChallengesTarget.self, ClearSiteDataTarget.self, CombinationTarget.self,
        ConditionalRequestTarget.self,
        ContentCodingTarget.self, ContentDecodingTarget.self, ContentRangeTarget.self,
        ContentSelectionTarget.self, DeltaSecondsTarget.self,
        DurationTarget.self, EntityTagTarget.self, EntryHeadTarget.self, FieldBlockTarget.self,
        FieldsTarget.self, FresheningTarget.self, GlobTarget.self, HTMLTarget.self, HTTPDateTarget.self,
        HostPatternTarget.self,
        InvalidationTarget.self, ListedPathTarget.self, ManifestHeadTarget.self, ManifestListTarget.self,
        ModuleImportsTarget.self, NoVarySearchTarget.self, NominatedFieldsTarget.self, PageRewritingTarget.self,
        PreloadListTarget.self, PreloadPageTarget.self,
        RequestTargetTarget.self, RetryAfterTarget.self, ReuseDecisionTarget.self, RulesFileTarget.self,
        SeedIndexTarget.self, SideEffectPagesTarget.self, SrcsetTarget.self, StoreDecisionTarget.self,
        StyleSheetTarget.self, StructuredFieldTarget.self,
        TargetURITarget.self,
        TargetedCacheControlTarget.self, VaryTarget.self, ViewFieldsTarget.self,
    ]

    static var names: [String] { all.map { $0.name } }

    static func named(_ name: String) -> (any FuzzTarget.Type)? {
        all.first { $0.name == name }
    }
}
