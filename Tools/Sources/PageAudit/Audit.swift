import CacheEngine
import CacheRules
import Foundation
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// The findings of a page's next visits, file by file, and the cures at its server.
package struct Audit: Sendable {
    package let files: [File]
    /// The page's own address.
    package let url: String
    /// Whether a rule shows the page as its snapshot, which the files' moments leave out.
    package let hasSnapshot: Bool

    /// One file of the page.
    package struct File: Sendable, Encodable {
        package var url: String
        package var destination: String
        package var status: Int
        package var bytes: Int64
        /// A minute, a day and a week later.
        package var minute: Answer
        package var day: Answer
        package var week: Answer
        /// A minute later, after a deploy: whether the new content is shown.
        package var deploy: Freshness
        /// Without a network.
        package var offline: Presence
        /// Why it is not stored; `nil` where it is.
        package var notStored: String?
        package var mistakes: [ServerMistake]
        /// The `Cache-Control` that it should have; `nil` where it has a good one, or nobody but its author can tell.
        package var advisedCacheControl: String?
        /// Whether it is a page that states no freshness. This cache asks about it each time; others guess (RFC 9111
        /// §4.2.2), and show the old one after a deploy.
        package var isGuessed = false
        /// Whether it comes from the page's origin.
        package var isOwn: Bool
        /// Whether the page got nothing that it can use: no answer, an error, a part, or HTML in place of a file.
        package var isBroken = false
    }

    /// Where the answer comes from.
    package enum Answer: String, Sendable, Codable {
        /// From the store, and the server is not asked.
        case stored
        /// From the store at once, while the server is asked.
        case behind
        /// From the store, after the server was asked.
        case asked
        /// From the server, whole.
        case fetched
        case failed

        init(_ outcome: ExchangeReport.Outcome?) {
            self =
                switch outcome {
                case .hit: .stored
                case .staleHit: .behind
                case .validated, .collapsed: .asked
                case .stored, .forwarded: .fetched
                case .failed, nil: .failed
                }
        }

        var isGood: Bool { self != .fetched && self != .failed }
    }

    /// The content after a deploy.
    package enum Freshness: String, Sendable, Codable {
        case new, old
        /// It has a hash in its name: the next release has another name.
        case named
    }

    /// The content without a network.
    package enum Presence: String, Sendable, Codable {
        case there, missing
    }

    /// - Parameter exchanges: One visit, in its order; the first document is the page.
    package init(_ exchanges: [RecordedExchange], rules: RuleList = .webViewDefaults) async {
        var known: Set<String> = []
        // A challenge is followed by the answer to the password.
        let answered = Set(exchanges.filter { $0.status != 401 }.map(\.url))
        let visit = exchanges.filter { exchange in
            exchange.method == "GET" && (exchange.status != 401 || !answered.contains(exchange.url))
                && known.insert(exchange.url).inserted
        }
        let page = visit.first { $0.destination == .document && $0.status < 300 } ?? visit.first
        url = page?.url ?? ""
        let parts = TargetURI.split(url)
        let request = HTTPRequest(
            method: .get, scheme: parts?.scheme, authority: parts?.authority, path: parts?.path,
            headerFields: page?.request ?? [:])
        hasSnapshot =
            rules.decision(for: Exchange(request: request, destination: .document, connectivity: .connected)).verdict
            == .snapshot
        let replay = Replay(exchanges: visit.filter { $0.failure == nil }, rules: rules)
        var found: [Replay.Moment: [String: Replay.Found]] = [:]
        var notStored: [String: StoreDecision.Reason] = [:]
        for moment in Replay.Moment.allCases { (notStored, found[moment]) = await replay.visit(again: moment) }
        let own = parts?.authority
        let error = Self.clockError(of: visit)
        files = visit.map { exchange in
            let parts = TargetURI.split(exchange.url)
            let time = WallInstant(sinceEpoch: .milliseconds(Int64(exchange.start))) + (.zero - error)
            let received = ReceivedResponse(
                target: parts?.path ?? "/", destination: exchange.destination, status: exchange.status,
                fields: exchange.response, requestFields: exchange.request, time: exchange.start > 0 ? time : nil)
            func at(_ moment: Replay.Moment) -> Replay.Found? { found[moment]?[exchange.url] }
            // A font or image with 'immutable' counts as one with a hash, though its name may look like none (RFC 8246
            // §2). Old code would break its page, so that its name has to tell.
            let isHashed =
                HashedName(path: parts?.path ?? "") != nil
                || [.font, .image].contains(received.destination) && CacheControl(exchange.response).has("immutable")
            var file = File(
                url: exchange.url, destination: received.destination.description, status: exchange.status,
                bytes: exchange.size, minute: Answer(at(.minute)?.outcome), day: Answer(at(.day)?.outcome),
                week: Answer(at(.week)?.outcome),
                deploy: isHashed ? .named : at(.deploy)?.isOld == true ? .old : .new,
                offline: [nil, .failed].contains(at(.offline)?.outcome) ? .missing : .there,
                notStored: exchange.failure ?? exchange.line?.notStored ?? notStored[exchange.url]?.words,
                mistakes: exchange.failure == nil ? received.mistakes : [], advisedCacheControl: nil,
                isOwn: parts?.authority == own)
            // Content that was cut off, or is another thing than the page needs, is nothing to keep.
            let isCutOff = exchange.failure == nil && exchange.line?.notStored == PastEvent.brokeOffWords
            file.isBroken =
                exchange.failure != nil || isCutOff || exchange.status >= 400
                || file.mistakes.contains { ["html-instead", "type-refused"].contains($0.name) }
            if exchange.failure != nil || isCutOff {
                (file.status, file.bytes, file.deploy, file.offline) = (isCutOff ? file.status : 0, 0, .new, .missing)
                (file.minute, file.day, file.week) = (.failed, .failed, .failed)
            }
            file.isGuessed =
                file.status == 200 && !file.isBroken && received.destination.isPage
                && StatedFreshness(exchange.response) == .unstated
            file.advisedCacheControl = Self.better(file, received.destination, exchange.response, isHashed: isHashed)
            return file
        }
    }

    /// How far the clock of the machine that recorded was ahead of the servers', where several of them say so.
    private static func clockError(of visit: [RecordedExchange]) -> Duration {
        var errors: [String: Duration] = [:]
        for exchange in visit {
            let time = WallInstant(sinceEpoch: .milliseconds(Int64(exchange.start)))
            guard let host = TargetURI.split(exchange.url)?.authority, exchange.response[.age] == nil,
                let date = exchange.response[.date].flatMap({ HTTPDate.parse($0, now: time) })
            else { continue }
            errors[host] = errors[host] ?? time - date
        }
        guard errors.count > 2 else { return .zero }
        return errors.values.sorted()[errors.count / 2]
    }

    /// The value that serves such a file best, where it is not served well.
    private static func better(
        _ file: File, _ destination: Destination, _ fields: HTTPFields, isHashed: Bool
    ) -> String? {
        guard file.status == 200, !file.isBroken else { return nil }
        let unread = ["syntax", "seconds", "contradiction", "immutable", "directive", "hashed"]
        // Other causes, such as Vary or no validator, have sentences of their own.
        let isItsFault =
            file.deploy == .old || CacheControl(fields).has("no-store") || isHashed && file.week != .stored
            || file.mistakes.contains { unread.contains($0.name) }
            || file.isGuessed
        guard isItsFault else { return nil }
        switch destination {
        case .document, .iframe: return "no-cache"
        case .script, .style, .font, .image: return isHashed ? "public, max-age=31536000, immutable" : "no-cache"
        default: return nil
        }
    }

    /// From 0 to 100: the share of what is well, over each file and each of the five moments. A file that is broken has
    /// no points. No more than the least of ``limits``.
    package var score: Int { min(share, limits.map(\.most).min() ?? 100) }

    /// The faults that break the page itself, whatever the share of its files is, and the most points then.
    var limits: [(most: Int, words: String)] {
        var limits: [(most: Int, words: String)] = []
        if files.contains(where: { $0.url == url && $0.offline == .missing }) {
            limits.append((40, "there is no page without a network"))
        }
        let code = ["document", "script", "style"]
        if files.contains(where: { !$0.isBroken && $0.deploy == .old && code.contains($0.destination) }) {
            limits.append((60, "code or a page is old after a deploy"))
        }
        if files.contains(where: \.isGuessed) {
            limits.append((90, "other caches guess how long a page is good that states no freshness"))
        }
        return limits
    }

    private var share: Int {
        guard !files.isEmpty else { return 0 }
        let points = files.filter { !$0.isBroken }.reduce(0) { sum, file in
            sum
                + [file.minute.isGood, file.day.isGood, file.week.isGood, file.deploy != .old, file.offline == .there]
                .count { $0 }
        }
        return points * 100 / (files.count * 5)
    }

    // MARK: Lines for servers

    private static let immutable = "public, max-age=31536000, immutable"

    /// Files of the page's host with a hash in their names: a pattern for each folder, in which any hash of the same
    /// length may stand.
    private var hashedPatterns: [String] {
        struct Place: Hashable, Comparable {
            var folder: String
            var ending: String
            static func < (one: Place, other: Place) -> Bool { (one.folder, one.ending) < (other.folder, other.ending) }
        }
        var names: [Place: Set<String>] = [:]
        for file in files where file.isOwn && file.advisedCacheControl == Self.immutable {
            guard let path = TargetURI.split(file.url)?.path.prefix(while: { $0 != "?" }),
                let slash = path.lastIndex(of: "/"), let dot = path.lastIndex(of: "."), slash < dot,
                path.utf8.allSatisfy(Self.isPlain)
            else { continue }
            let name = path[path.index(after: slash)..<dot]
            let place = Place(folder: Self.escaped(path[...slash]), ending: String(path[path.index(after: dot)...]))
            // A font or an image that is said to be immutable may have a name without a hash.
            guard let hash = HashedName(path: String(path))?.hash, let found = name.range(of: hash) else {
                names[place, default: []].insert(Self.escaped(name))
                continue
            }
            let pattern = "[A-Za-z0-9_-]{\(hash.count)}"
            names[place, default: []].insert(
                Self.escaped(name[..<found.lowerBound]) + pattern + Self.escaped(name[found.upperBound...]))
        }
        return names.sorted { $0.key < $1.key }.map { place, names in
            "^\(place.folder)(\(names.sorted().joined(separator: "|")))\\.\(place.ending)$"
        }
    }

    private static func isPlain(_ octet: UInt8) -> Bool {
        (0x30...0x39).contains(octet) || (0x41...0x5A).contains(octet) || (0x61...0x7A).contains(octet)
            || [0x2D, 0x2E, 0x2F, 0x5F].contains(octet)
    }

    private static func escaped(_ text: Substring) -> String { text.replacingOccurrences(of: ".", with: "\\.") }

    /// Whether pages are meant that names tell, and the paths of other files and pages. A server may answer an address
    /// of a single-page application with `/index.html`, whose name nginx then goes by.
    private var wanted: (pages: Bool, others: [String]) {
        let own = files.filter { $0.isOwn && $0.advisedCacheControl == "no-cache" }
        let paths = own.compactMap { file -> String? in
            let path = TargetURI.split(file.url)?.path.prefix { $0 != "?" }
            return path.flatMap { $0.utf8.allSatisfy(Self.isPlain) ? String($0) : nil }
        }
        let isPage: (String) -> Bool = { $0.hasSuffix("/") || $0.hasSuffix(".html") }
        let hasPages = paths.contains(where: isPage) || own.contains { $0.destination == "document" }
        return (hasPages, Set(paths.filter { !isPage($0) }).sorted())
    }

    /// Lines for nginx that change what is not well, for the page's own host. No `location` is added: one would hide
    /// the fields and files of those that are there. All else keeps what an application sends, errors too.
    package var nginx: [String] {
        func line(_ path: String, _ value: String) -> String { "    \"~^[23]..\(path)$\" \(value);" }
        var values = wanted.others.map { line(Self.escaped($0[...]), "no-cache") }
        values += hashedPatterns.map { line(String($0.dropFirst().dropLast()), "\"\(Self.immutable)\"") }
        if wanted.pages { values.append(line(".*(/|\\.html)", "no-cache")) }
        guard !values.isEmpty else { return [] }
        return ["# In http:", "map $status$uri $cache_control {"] + values + [
            "    default $upstream_http_cache_control;", "}",
            "# In server, and in each location that has add_header itself. Where it passes on to an application,",
            "# with 'proxy_hide_header Cache-Control;':", "add_header Cache-Control $cache_control always;",
        ]
    }

    /// The same for Caddy.
    package var caddy: [String] {
        var lines: [String] = []
        for (index, pattern) in hashedPatterns.enumerated() {
            lines += [
                "@hashed\(index + 1) path_regexp \(pattern)",
                "header @hashed\(index + 1) >Cache-Control \"\(Self.immutable)\"",
            ]
        }
        if !wanted.others.isEmpty {
            lines += ["@files path \(wanted.others.joined(separator: " "))", "header @files >Cache-Control no-cache"]
        }
        if wanted.pages { lines += ["@pages path */ *.html", "header @pages >Cache-Control no-cache"] }
        return lines
    }
}
