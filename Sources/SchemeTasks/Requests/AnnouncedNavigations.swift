import Fetching
import HTTPTypes

/// The documents that a web view has announced it will load, for requests that do not say themselves what they are for:
/// at schemes of an app's own there is no `Sec-Fetch-Mode`.
///
/// WebKit asks its navigation delegate before it asks for the document. On Apple's platforms the delegate learns which
/// frame navigates; on WebKitGTK it does not, but is told when the main frame begins to load: after that document was
/// announced, and before it is asked for. The view's own URL is of no use: after a click on a link it changes only when
/// the document arrives.
package struct AnnouncedNavigations: Sendable {
    private struct Announced {
        var url: String
        var isTopLevel: Bool
        var initiator: RequestEvidence.Initiator?
    }

    /// A page can announce as many as it likes, such as frames; the latest count.
    static let greatestCount = 4_096
    /// Limits all their URLs together, in octets.
    static let greatestLength = 4 << 20
    private var documents: [Announced] = []
    private var length = 0

    package init() {}

    /// - Parameters:
    ///   - url: The URL that will be requested.
    ///   - isTopLevel: Whether the main frame asks; `false` where ``mainFrameStarted()`` tells.
    ///   - initiator: `nil` if nothing proves who has begun it.
    package mutating func add(
        _ url: String, isTopLevel: Bool = false, by initiator: RequestEvidence.Initiator? = nil
    ) {
        let url = url.withoutFragment
        documents.append(Announced(url: url, isTopLevel: isTopLevel, initiator: initiator))
        length += url.utf8.count
        var outdated = 0
        while documents.count - outdated > Self.greatestCount
            || (length > Self.greatestLength && outdated < documents.count)
        {
            length -= documents[outdated].url.utf8.count
            outdated += 1
        }
        documents.removeFirst(outdated)
    }

    /// The main frame begins to load what was announced last.
    package mutating func mainFrameStarted() {
        guard let last = documents.indices.last else { return }
        documents[last].isTopLevel = true
    }

    /// Whether this request is one that was announced; each announcement counts once. One that asks for a document
    /// without having been announced is a frame's: more was announced than is kept, or another request has taken its
    /// place. So no page has its frames shown where the response refuses them.
    package mutating func take(
        _ url: String, method: HTTPRequest.Method, _ fields: HTTPFields
    ) -> (kind: RequestEvidence.Navigation, initiator: RequestEvidence.Initiator?) {
        // Only scripts send `Origin` with GET, and they announce nothing.
        guard method != .get || !fields.contains(.origin) else { return (.none, nil) }
        let url = url.withoutFragment
        let accept = fields[.accept] ?? ""
        // Images and style sheets say so; a page can't.
        guard !accept.hasPrefix("image/"), !accept.hasPrefix("text/css") else { return (.none, nil) }
        guard let place = documents.lastIndex(where: { $0.url == url }) else {
            let isFrame = method == .get && accept.hasPrefix("text/html,application/xhtml+xml")
            return (isFrame ? .unannouncedFrame : .none, nil)
        }
        length -= documents[place].url.utf8.count
        let found = documents.remove(at: place)
        return (found.isTopLevel ? .topLevel : .frame, found.initiator)
    }
}

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
