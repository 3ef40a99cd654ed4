import CacheEngine
import Fetching
import HTTPCacheSemantics
import PageSyntax
import ResponseStore

/// One thing to fetch ahead of need.
public struct PreloadItem: Hashable, Sendable {
    /// An absolute http or https URL.
    public var url: String
    /// `nil` takes what comes, as a page would, up to ``PreloadConfiguration/largestContent``.
    package var content: ExpectedContent?
    /// Type and subtype of the response, such as `text/javascript`; `nil` for any that fits ``destination``.
    package var type: String?
    package var destination: PreloadDestination
    /// When the item is fetched.
    package var group: PreloadGroup
    /// The origin of the pages that will ask for it, for `Origin` and `Sec-Fetch-Site`; `nil` for the URL's own.
    package var origin: String?
    /// As in `ExchangeContext.site`: the site of those pages if the URL is of another site, else empty.
    package var site: String
    /// Whether the pages ask for it with `crossorigin`, where they need not. WebKit does not heed it for fonts.
    package var usesCORS = false
    /// The hashes that the page states for it, see ``Integrity``; empty for none.
    package var integrity = ""
    /// The name of its group in a manifest.
    package var label = ""
    /// Parameters of a query that do not change the content: pages may add any of them.
    package var ignoredParameters: [String] = []
    /// The URL of the listed file of which this is another address; `nil` for other items. A host that does not answer
    /// there with the file misses nothing, and nobody is told.
    package var otherAddressOf: String?
    /// Whether an earlier release has found out what the host answers at this other address.
    package var mayBeKnown = false
    /// Set for what belongs to the snapshot of a page: it is not listed, and its own references are fetched with it.
    package var snapshot: SnapshotPart?
    /// The URL of the page with which this is fetched because the page, or a file of it, names it; `nil` for what is
    /// listed. The page itself has its own.
    package var namedBy: String?
    /// Whether it is expected to be opened, and nobody has listed it: a host that refuses to be asked ahead is heeded.
    package var isGuessed = false
    /// Facts of the page to which this module, script or style sheet belongs.
    package var page = PageFacts()
    /// The screen for which the images of that page are chosen; `nil` fetches all of them.
    package var screen: PageScreen?
    /// The needs of a document of a release; `nil` for other items.
    package var needs: DocumentNeeds?
    /// Whether it belongs to a release with documents, which pages see as a whole.
    package var isOfRelease = false

    package init(
        url: String, content: ExpectedContent? = nil, type: String? = nil, destination: PreloadDestination,
        group: PreloadGroup = .page, origin: String? = nil, site: String = ""
    ) {
        self.url = url
        self.content = content
        self.type = type
        self.destination = destination
        self.group = group
        self.origin = origin
        self.site = site
    }

    /// A URL whose destination is guessed by its extension, see ``PreloadDestination/init(guessedFromPath:)``.
    public init(url: String, group: PreloadGroup = .page) {
        let path = TargetURI.split(url)?.path ?? "/"
        self.init(url: url, destination: PreloadDestination(guessedFromPath: path), group: group)
    }

    /// A page with all that its HTML, style sheets, modules and `Link` fields name; unchanged where it is none.
    package func withFiles(_ isWanted: Bool = true, for screen: PageScreen? = nil) -> PreloadItem {
        guard isWanted, destination == .document else { return self }
        var page = self
        (page.namedBy, page.needs, page.screen) = (url, .release, screen)
        return page
    }

    /// Whether it is seen together with what else its page names, and nobody has listed its content.
    var isOfPage: Bool { snapshot != nil || namedBy != nil }

    var isOptional: Bool { otherAddressOf != nil }

    /// Whether a refusal holds no release back where nothing earlier is in its place: a page that the host does not
    /// have or forbids to store, and what pages show themselves without.
    func mayBeAbsent(_ refusal: PreloadRefusal) -> Bool {
        switch destination {
        case .document, .iframe:
            refusal.reason == .status || refusal.reason == .notStorable || isOfPage && refusal.reason == .type
        // Text is shown in another font; a listed one belongs to its release.
        case .font: isOfPage && refusal.reason == .status
        case .style, .script, .module, .worker, .sharedWorker, .serviceWorker:
            refusal.reason == .status && snapshot.map { !$0.replaces || $0.absent.contains(url) } == true
        case .image, .audio, .video, .track, .fetch, .manifest: refusal.reason != .cancelled
        }
    }

    var mode: FetchRequest.Mode {
        usesCORS && destination.mode == .noCORS && destination != .font ? .cors : destination.mode
    }
}

/// A page's own word about the loads of its files.
package struct PageFacts: Hashable, Sendable {
    /// Its import maps.
    package var modules = ModuleSpecifiers()
    /// The characters by which its fonts are chosen; `nil` chooses all.
    package var characters: PageCharacters?
    /// Whether its policy has it ask for everything at https.
    package var upgradesRequests = false
}

/// The snapshot to which an item belongs.
package struct SnapshotPart: Hashable, Sendable {
    /// The URL of the page.
    package var page: String
    /// As the page's own request had it.
    package var cookie: String?
    /// Whether an earlier one is shown, whatever comes of this: if it lacks a file, the others come in vain.
    package var replaces = false
    /// The files that the earlier one lacks as well.
    package var absent = MissingFiles(.absent, of: nil)
}

/// The hash and size of a content without its codings, as a manifest states them.
package struct ExpectedContent: Hashable, Sendable {
    package var sha256: BodyDigest
    /// `nil` if only the hash is known: then it may have ``PreloadConfiguration/largestContent``.
    package var size: ByteCount?

    package init(sha256: BodyDigest, size: ByteCount?) {
        self.sha256 = sha256
        self.size = size
    }
}

/// How soon something is needed. The order is that of fetching.
public enum PreloadGroup: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Every page needs it.
    case boot
    /// Some pages need it.
    case page
    /// It may be needed.
    case lazy

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// Groups in the order in which they are fetched.
    public static func < (one: Self, other: Self) -> Bool { one.rank < other.rank }

    /// The urgency in `Priority`, RFC 9218 §4.1, where a browser's own requests have 0 to 4: "The background urgency
    /// level (7) is used for delivery of resources that have no impact on page loading".
    var urgency: Int { rank + 5 }
}

/// The files that have to be in the store before a document of a release may be seen, so that it opens offline.
package enum DocumentNeeds: Hashable, Sendable {
    /// The files with these ``PreloadItem/label``s.
    case labels(Set<String>)
    /// All files of the release that are not ``PreloadGroup/lazy``.
    case release
    /// All of the release, whatever can be had of it: another one is shown.
    case releaseInForce
}
