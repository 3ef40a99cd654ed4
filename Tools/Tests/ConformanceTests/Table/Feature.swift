/// Something the engine must be able to do before a row can hold.
enum Feature: Hashable, Sendable {
    case staleWhileRevalidate, staleIfError, immutable, partialStoring, postStoring, headFreshening
    case varyMissValidation, targetedCacheControl, noVarySearch, clearSiteData
    /// A connection that is closed before the head counts as an origin that can't be reached.
    case closedEarlyIsUnreachable
    case heuristicFor451, contentRangeOutside206, unknownContentCoding, clockSetBack
    /// The engine seems to break the sentence; see the row.
    case suspectedBug(String)

    /// In ``missing`` this stands for every suspected bug.
    static let anySuspectedBug = Feature.suspectedBug("")

    var isMissing: Bool {
        if case .suspectedBug = self { return Self.missing.contains(Self.anySuspectedBug) }
        return Self.missing.contains(self)
    }
}
