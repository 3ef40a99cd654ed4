import HTTPCacheSemantics

/// A web view's own data for pages, such as cookies and `localStorage`. Each adapter has one.
public protocol WebsiteDataStore<Kind>: Sendable {
    /// The kinds of data that this web view tells apart.
    associatedtype Kind: Hashable & Sendable

    /// Removes the data of some kinds; returns when it is gone.
    ///
    /// - Parameter since: Removes only what was modified then or later; `nil` for all. A store that keeps no times for
    ///   one of the kinds throws, and removes nothing.
    func removeData(of kinds: Set<Kind>, since: WallInstant?) async throws
}
