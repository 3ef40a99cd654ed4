import Fetching

/// The documents that a web view shows, where it does not say which of them begins a navigation, as WebKitGTK does not.
///
/// The engine's word tells of each: the address of the main document, the addresses that other frames were
/// to load, and the origin that a script in a world of its own tells at the start of each document, which no page can
/// do. A main document that tells none runs no scripts, or is sandboxed by its policy.
package struct ShownDocuments: Sendable {
    /// A page can have any number of frames; of more than these, the origins count as unknown.
    static let greatestCount = 64
    private var main = WebOrigin.opaque
    private var isMainKnown = false
    private var others: Set<WebOrigin> = []
    /// Whether a frame has told of its document.
    package private(set) var hasFrames = false

    package init() {}

    /// The origins of all that may begin a navigation.
    package var origins: Set<WebOrigin> { others.union([isMainKnown ? main : .opaque]) }

    /// A main document has begun to arrive.
    package mutating func committed(_ url: String?) {
        self = ShownDocuments()
        main = url.map { WebOrigin(url: $0) } ?? .opaque
    }

    /// A document says that its origin is this one.
    package mutating func told(_ origin: WebOrigin, isMain: Bool) {
        if isMain { isMainKnown = isMainKnown || origin.isSameOrigin(as: main) } else { add(origin) }
        if !isMain { hasFrames = true }
    }

    /// A document is to come, perhaps into a frame. One that has no address of its own has the origin of another one.
    package mutating func announced(_ url: String) {
        if !url.hasPrefix("about:"), !url.hasPrefix("javascript:") { add(WebOrigin(url: url)) }
    }

    private mutating func add(_ origin: WebOrigin) {
        others.insert(others.count < Self.greatestCount ? origin : .opaque)
    }
}
