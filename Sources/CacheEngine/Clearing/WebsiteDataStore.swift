import HTTPCacheSemantics

/// What a web view keeps for web pages on its own, such as cookies and `localStorage`. Each adapter has one.
public protocol WebsiteDataStore<Kind>: Sendable {
    /// The kinds of data that this web view tells apart.
    associatedtype Kind: Hashable & Sendable

    /// Removes the data of some kinds; returns when it is gone.
    ///
    /// - Parameter since: Only what was modified then or later; `nil` for all. A store throws, and removes nothing, where
    ///   it keeps no times for one of the kinds.
    func removeData(of kinds: Set<Kind>, since: WallInstant?) async throws
}
