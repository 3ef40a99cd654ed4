import Fetching
import HTTPCacheSemantics
import HTTPTypes

/// Collects what the links of a page name.
struct PreloadPageLinks {
    private static let rels: Set<String> = ["preload", "modulepreload", "stylesheet", "icon", "prefetch"]
    /// Values of `as`; a module has another `rel`.
    private static let uses: Set<PreloadDestination> = Set(PreloadDestination.allCases).subtracting([.module])

    private let page: String
    private let group: PreloadGroup
    private var base: String
    private var hasBase = false
    private var known: Set<String> = []
    private(set) var items: [PreloadItem] = []

    init(page: String, group: PreloadGroup) {
        (self.page, self.group, base) = (page, group, page)
    }

    /// HTML §4.2.3: the first `base` with a URL counts.
    mutating func setBase(_ attributes: [String: String], line: Int) throws(PreloadPageError) {
        guard let href = attributes["href"], !hasBase else { return }
        guard items.isEmpty else {
            throw PreloadPageError(.unknownContent, line: line, "A <base> behind links; put it before the first one.")
        }
        base = try url(href, line)
        hasBase = true
    }

    mutating func add(_ attributes: [String: String], line: Int) throws(PreloadPageError) {
        let rels = Set(Self.words(attributes["rel"] ?? "").map { $0.lowercased() })
        let kinds = rels.intersection(Self.rels)
        guard let rel = kinds.first, kinds.count == 1, rels.subtracting(kinds).isSubset(of: ["shortcut"]) else {
            throw PreloadPageError(
                .unknownContent, line: line,
                "This page holds more than preload links: a <link> needs one rel of "
                    + "\(Self.rels.sorted().joined(separator: ", ")).")
        }
        guard attributes["imagesrcset"] == nil else {
            throw bad(line, "Which image of imagesrcset is needed is not known ahead; link to one with href")
        }
        guard let href = attributes["href"], !Self.words(href).isEmpty else { throw bad(line, "The link has no href") }
        // An icon within the page, or the word that there is none.
        if rel == "icon", href.lowercased().hasPrefix("data:") { return }
        var item = PreloadItem(
            url: try url(href, line), content: Integrity.content(attributes["integrity"] ?? ""),
            destination: .fetch, group: group, origin: page)
        item.destination = try destination(rel, attributes, item.url, line)
        if let crossOrigin = attributes["crossorigin"] {
            guard crossOrigin.lowercased() != "use-credentials" else {
                throw bad(line, "Nothing is fetched ahead with credentials; leave crossorigin=use-credentials out")
            }
            item.usesCORS = true
        }
        let isLow = attributes["fetchpriority"]?.lowercased() == "low"
        if isLow || rel == "prefetch" || attributes["media"].map({ !["", "all"].contains($0.lowercased()) }) ?? false {
            item.group = .lazy
        }
        guard known.insert(item.url).inserted else { return }
        guard items.count < PreloadPage.mostLinks else {
            throw PreloadPageError(
                .tooLarge, line: line, "The page has more than \(PreloadPage.mostLinks) links; split it.")
        }
        items.append(item)
    }

    private func destination(
        _ rel: String, _ attributes: [String: String], _ url: String, _ line: Int
    ) throws(PreloadPageError) -> PreloadDestination {
        let use = attributes["as"]?.lowercased() ?? ""
        switch rel {
        case "stylesheet": return .style
        case "icon": return .image
        case "prefetch" where use.isEmpty: return PreloadDestination(guessedFromPath: TargetURI.split(url)?.path ?? "/")
        case "modulepreload" where use.isEmpty || use == "script": return .module
        default:
            guard let destination = PreloadDestination(rawValue: use), Self.uses.contains(destination) else {
                throw bad(line, use.isEmpty ? "The preload link has no as" : "The link has an as that is not known")
            }
            return destination
        }
    }

    private func url(_ text: String, _ line: Int) throws(PreloadPageError) -> String {
        let text = Self.words(text).joined(separator: " ")
        guard text.utf8.count <= PreloadList.longestLine, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }),
            let url = TargetURI.resolve(text, against: base)
        else {
            throw bad(line, "The link leads to no http or https URL")
        }
        guard PrivateNetwork.mayLead(from: base, to: url) else {
            throw bad(line, "The link leads into this machine or its network, and the page came from elsewhere")
        }
        return url
    }

    private func bad(_ line: Int, _ what: String) -> PreloadPageError {
        PreloadPageError(.badLink, line: line, what + ".")
    }

    private static func words(_ text: String) -> [String] {
        text.utf8.split { [0x09, 0x0A, 0x0C, 0x0D, 0x20].contains($0) }.map { String(Substring($0)) }
    }
}

/// `Link`, RFC 8288 §3: a URL and its attributes. What can't be read ends a line; what was read before it counts.
enum LinkField {
    /// The attributes of each preload, with `href` and its one `rel`; names in lower case, the first of each name.
    static func preloads(_ fields: HTTPFields) -> [[String: String]] {
        var preloads: [[String: String]] = []
        for line in fields[values: FetchField.link] {
            var scanner = ByteScanner(line)
            while let found = link(&scanner) {
                let rels = (found["rel"] ?? "").lowercased().split { $0 == " " || $0 == "\t" }.map(String.init)
                // A link about something else than this page is none of its links.
                guard found["anchor"] == nil, let rel = rels.first(where: { $0 == "preload" || $0 == "modulepreload" })
                else { continue }
                preloads.append(found.merging(["rel": rel]) { $1 })
            }
        }
        return preloads
    }

    private static func link(_ scanner: inout ByteScanner) -> [String: String]? {
        _ = scanner.text { $0 == 0x2C || isSpace($0) }
        guard scanner.take("<") else { return nil }
        var attributes = ["href": scanner.text { $0 != 0x3E }]
        guard scanner.take(">") else { return nil }
        while true {
            scanner.skipWhitespace()
            guard !scanner.isAtEnd, !scanner.take(",") else { break }
            guard scanner.take(";") else { return nil }
            scanner.skipWhitespace()
            let name = scanner.text { ![0x2C, 0x3B, 0x3D].contains($0) && !isSpace($0) }.lowercased()
            scanner.skipWhitespace()
            var value = ""
            if scanner.take("=") {
                scanner.skipWhitespace()
                guard let read = Self.value(&scanner) else { return nil }
                value = read
            }
            if !name.isEmpty, name != "href", attributes[name] == nil { attributes[name] = value }
        }
        return attributes
    }

    /// A token, or a quoted string (RFC 9110 §5.6.4).
    private static func value(_ scanner: inout ByteScanner) -> String? {
        scanner.peek == 0x22
            ? scanner.quotedString() : scanner.text { $0 != 0x2C && $0 != 0x3B && !isSpace($0) }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
