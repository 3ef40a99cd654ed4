import CacheEngine
import CacheRules
import Foundation
import HTTPCacheSemantics
import HTTPTypes

/// What a page's next visits would find, file by file, and what its server should say instead.
package struct Audit: Sendable {
    package let files: [File]
    /// The page's own address.
    package let url: String

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
        /// An hour later, after a deploy: whether the new content is shown.
        package var deploy: Freshness
        /// Without a network.
        package var offline: Presence
        /// Why it is not stored; `nil` where it is.
        package var notStored: String?
        package var mistakes: [ServerMistake]
        /// The `Cache-Control` that it should have; `nil` where it has a good one, or nobody but its author can tell.
        package var cacheControl: String?
        /// Whether it comes from the page's origin.
        package var isOwn: Bool
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
        let visit = exchanges.filter { exchange in
            exchange.method == "GET" && known.insert(exchange.url).inserted
        }
        let page = visit.first { $0.destination == .document && $0.status < 300 } ?? visit.first
        url = page?.url ?? ""
        let replay = Replay(exchanges: visit, rules: rules)
        var found: [Replay.Moment: [String: Replay.Found]] = [:]
        var notStored: [String: StoreDecision.Reason] = [:]
        for moment in Replay.Moment.allCases { (notStored, found[moment]) = await replay.visit(again: moment) }
        let own = TargetURI.split(url)?.authority
        let error = Self.clockError(of: visit)
        files = visit.map { exchange in
            let parts = TargetURI.split(exchange.url)
            let time = WallInstant(sinceEpoch: .milliseconds(Int64(exchange.start))) + (.zero - error)
            let received = ReceivedResponse(
                target: parts?.path ?? "/", destination: exchange.destination, status: exchange.status,
                fields: exchange.response, requestFields: exchange.request, time: exchange.start > 0 ? time : nil)
            func at(_ moment: Replay.Moment) -> Replay.Found? { found[moment]?[exchange.url] }
            let isHashed = HashedName(path: parts?.path ?? "") != nil
            var file = File(
                url: exchange.url, destination: received.destination.description, status: exchange.status,
                bytes: exchange.size, minute: Answer(at(.minute)?.outcome), day: Answer(at(.day)?.outcome),
                week: Answer(at(.week)?.outcome),
                deploy: isHashed ? .named : at(.deploy)?.isOld == true ? .old : .new,
                offline: [nil, .failed].contains(at(.offline)?.outcome) ? .missing : .there,
                notStored: notStored[exchange.url]?.words, mistakes: received.mistakes, cacheControl: nil,
                isOwn: parts?.authority == own)
            file.cacheControl = Self.better(file, received.destination, isHashed: isHashed)
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
    private static func better(_ file: File, _ destination: Destination, isHashed: Bool) -> String? {
        guard file.status == 200 else { return nil }
        let isBad =
            file.deploy == .old || file.offline == .missing || !file.minute.isGood || !file.day.isGood
            || isHashed && file.week != .stored
            || file.mistakes.contains { ["syntax", "seconds", "contradiction", "immutable"].contains($0.name) }
        guard isBad else { return nil }
        switch destination {
        case .document, .iframe: return "no-cache"
        case .script, .style, .font, .image: return isHashed ? "public, max-age=31536000, immutable" : "no-cache"
        default: return nil
        }
    }

    /// From 0 to 100: the share of what is well, over each file and each of the five moments.
    package var score: Int {
        let counted = files.filter { $0.status < 400 }
        guard !counted.isEmpty else { return 0 }
        let points = counted.reduce(0) { sum, file in
            sum
                + [file.minute.isGood, file.day.isGood, file.week.isGood, file.deploy != .old, file.offline == .there]
                .count { $0 }
        }
        return points * 100 / (counted.count * 5)
    }

    // MARK: Lines for servers

    private static let hashed = "max-age=31536000"

    private var wanted: (pages: Bool, hashed: [String], others: [String]) {
        let own = files.filter { $0.isOwn && $0.cacheControl != nil }
        func endings(_ files: [File]) -> [String] {
            Set(
                files.compactMap { file in
                    let path = (TargetURI.split(file.url)?.path ?? "").prefix { $0 != "?" }
                    let ending = path.split(separator: ".").last.map(String.init) ?? ""
                    return ending.count <= 5 && ending.allSatisfy { $0.isLetter || $0.isNumber } ? ending : nil
                }
            ).sorted()
        }
        let isPage: (File) -> Bool = { ["document", "iframe"].contains($0.destination) }
        return (
            own.contains(where: isPage), endings(own.filter { $0.cacheControl?.contains(Self.hashed) == true }),
            endings(
                own.filter {
                    ["script", "style", "font", "image"].contains($0.destination) && $0.cacheControl == "no-cache"
                })
        )
    }

    /// Lines for nginx that change what is not well, for the page's own host.
    package var nginx: [String] {
        var lines: [String] = []
        let wanted = wanted
        if !wanted.hashed.isEmpty {
            lines.append(
                "location ~ \"[.-][A-Za-z0-9_-]{8,}\\.(\(wanted.hashed.joined(separator: "|")))$\" { add_header Cache-Control "
                    + "\"public, max-age=31536000, immutable\"; }")
        }
        if !wanted.others.isEmpty {
            lines.append(
                "location ~ \"\\.(\(wanted.others.joined(separator: "|")))$\" { add_header Cache-Control no-cache; }")
        }
        if wanted.pages { lines.append("location ~ (/|\\.html)$ { add_header Cache-Control no-cache; }") }
        return lines
    }

    /// The same for Caddy.
    package var caddy: [String] {
        var lines: [String] = []
        let wanted = wanted
        if !wanted.hashed.isEmpty {
            lines += [
                "@hashed path_regexp [.-][A-Za-z0-9_-]{8,}\\.(\(wanted.hashed.joined(separator: "|")))$",
                "header @hashed Cache-Control \"public, max-age=31536000, immutable\"",
            ]
        }
        if !wanted.others.isEmpty {
            // Where both fit, the name with a hash goes first.
            let not = wanted.hashed.isEmpty ? [] : ["not path_regexp [.-][A-Za-z0-9_-]{8,}\\.[a-z0-9]+$"]
            let paths = "path " + wanted.others.map { "*.\($0)" }.joined(separator: " ")
            lines += ["@files {"] + ([paths] + not).map { "  " + $0 } + ["}", "header @files Cache-Control no-cache"]
        }
        if wanted.pages { lines += ["@pages path */ *.html", "header @pages Cache-Control no-cache"] }
        return lines
    }
}
