/// All targets. A reader without one is not done.
enum FuzzTargets {
    static let all: [any FuzzTarget.Type] = [
        AuthorityTarget.self, ByteRangeTarget.self, CacheControlTarget.self, CacheStatusTarget.self,
        CacheStatusListTarget.self, ClearSiteDataTarget.self, CombinationTarget.self, ConditionalRequestTarget.self,
        ContentCodingTarget.self, ContentRangeTarget.self, ContentSelectionTarget.self, DeltaSecondsTarget.self,
        DurationTarget.self, EntityTagTarget.self, EntryHeadTarget.self, FieldBlockTarget.self,
        FieldsTarget.self, FresheningTarget.self, GlobTarget.self, HTTPDateTarget.self, HostPatternTarget.self,
        InvalidationTarget.self,
        NoVarySearchTarget.self, NominatedFieldsTarget.self, RegularExpressionTarget.self, RequestTargetTarget.self,
        ReuseDecisionTarget.self, RulesFileTarget.self,
        StoreDecisionTarget.self, StructuredFieldTarget.self, TargetURITarget.self, TargetedCacheControlTarget.self,
        VaryTarget.self,
    ]

    static var names: [String] { all.map { $0.name } }

    static func named(_ name: String) -> (any FuzzTarget.Type)? {
        all.first { $0.name == name }
    }
}
