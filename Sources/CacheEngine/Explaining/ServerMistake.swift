import CacheRules
import HTTPCacheSemantics
import HTTPTypes

/// A mistake of a server that costs a visit something: a file that is fetched again, an old one, or none at all.
package struct ServerMistake: Hashable, Sendable, Codable {
    /// A name for programs, such as `clock`; stays the same when the words change.
    package var name: String
    /// The field that the server sends, its effect, and the cure.
    package var words: String

    init(_ name: String, _ words: String) { (self.name, self.words) = (name, words) }
}

/// A response as it came, to be looked at for mistakes.
package struct ReceivedResponse: Sendable {
    /// The path with its query.
    package var target: String
    package var destination: Destination
    package var status: Int
    package var fields: HTTPFields
    package var requestFields: HTTPFields
    package var time: WallInstant?

    /// - Parameters:
    ///   - destination: The use of the response; where it is unknown, the ending of the path tells.
    ///   - fields: As the origin sent them, or as they are stored.
    ///   - time: When it came; `nil` where it is stored.
    package init(
        target: String, destination: Destination, status: Int, fields: HTTPFields, requestFields: HTTPFields = [:],
        time: WallInstant?
    ) {
        (self.target, self.status, self.fields) = (target, status, fields)
        (self.requestFields, self.time) = (requestFields, time)
        self.destination = destination == .unknown ? Self.destination(target) : destination
    }

    private static let endings: [(Destination, Set<Substring>)] = [
        (.script, ["js", "mjs"]), (.style, ["css"]), (.font, ["woff", "woff2", "ttf", "otf"]),
        (.image, ["png", "jpg", "jpeg", "gif", "webp", "avif", "svg", "ico"]),
    ]

    private static func destination(_ target: String) -> Destination {
        let path = target.prefix { $0 != "?" }
        guard let dot = path.lastIndex(of: "."), path.lastIndex(of: "/").map({ $0 < dot }) ?? true else {
            return .unknown
        }
        let ending = path[path.index(after: dot)...]
        return endings.first { $0.1.contains(ending) }?.0 ?? .unknown
    }

    /// The mistakes, those first that break a page.
    package var mistakes: [ServerMistake] {
        var found = [ServerMistake]()
        addContent(to: &found)
        addCacheControl(to: &found)
        addDates(to: &found)
        addVary(to: &found)
        addCookies(to: &found)
        addLifetime(to: &found)
        addAge(to: &found)
        addValidators(to: &found)
        return found
    }

    var control: CacheControl { CacheControl(fields) }
    var isStored: Bool { status < 300 && !control.has("no-store") }
    var isFile: Bool { [.script, .style, .image, .font].contains(destination) }
    var isPage: Bool { destination.isPage || destination == .unknown && type == "text/html" }
    var isHashed: Bool { HashedName(path: target) != nil }
    private var name: String { String(target.prefix { $0 != "?" }.split(separator: "/").last ?? "/") }
    private var type: String { fields.mediaType ?? "" }

    /// Whether a page comes in place of a file.
    var isPageInPlace: Bool {
        let wantsJSON = name.hasSuffix(".json") || requestFields[.accept]?.contains("json") == true
        return type == "text/html" && (isFile || destination == .fetch && wantsJSON)
    }

    /// Whether it may be reused without being asked about.
    private var mayBeReused: Bool { !control.has("no-store") && !control.has("no-cache") }

    /// The seconds that `max-age` gives; `nil` where there is none that can be read.
    var maxAge: Int64? { control.first("max-age")?.argument.flatMap { Int64($0) } }

    // MARK: Content

    private func addContent(to found: inout [ServerMistake]) {
        guard status == 200 else { return addStatus(to: &found) }
        if isPageInPlace {
            found.add(
                "html-instead",
                "HTML comes in place of the file, as from the fallback of a single-page app; answer 404 for missing "
                    + "files.")
        } else if !fields.contains(.contentType), isFile || isPage {
            found.add("type-missing", "There is no Content-Type, so browsers guess; state it.")
        } else if ListField.members(fields[values: .xContentTypeOptions]).first?.lowercased() == "nosniff" {
            let isRefused =
                destination == .script && MediaTypeKind(type) != .javaScript
                || destination == .style && type != "text/css"
            if isRefused {
                found.add(
                    "type-refused",
                    "'Content-Type: \(type)' with nosniff: browsers refuse it as a \(destination); send "
                        + "\(destination == .script ? "text/javascript" : "text/css").")
            }
        }
        for coding in ContentCoding.names(of: fields) where !Self.codings.contains(coding) {
            found.add(
                "coding",
                "'Content-Encoding: \(coding)' names no coding of content; leave it out (a charset belongs into "
                    + "Content-Type).")
        }
    }

    private func addStatus(to found: inout [ServerMistake]) {
        switch status {
        case 206 where !requestFields.contains(.range):
            found.add("part", "Status 206 in answer to a request for the whole (RFC 9110 §15.3.7); answer 200.")
        case 301, 302, 303, 307, 308:
            if !fields.contains(.location) {
                found.add("redirect", "Status \(status) without Location leads nowhere; name the address.")
            } else if let lifetime = maxAge, lifetime >= 86_400, mayBeReused {
                found.add(
                    "redirect-kept",
                    "A redirect that is fresh for \(Self.words(lifetime)) goes on leading there after you change "
                        + "it; send 'no-cache'.")
            }
        case 400...:
            guard let lifetime = maxAge, lifetime > 0, mayBeReused else { return }
            found.add(
                "error-kept",
                "An error that is fresh for \(Self.words(lifetime)) stays after the file is back; send "
                    + "'Cache-Control: no-cache' with errors.")
        default: break
        }
    }

    static func words(_ seconds: Int64) -> String {
        ReadableDuration.text(.seconds(min(seconds, 31_536_000 * 100)))
    }

    private static let codings: Set<String> = [
        "gzip", "x-gzip", "deflate", "br", "zstd", "compress", "x-compress", "identity", "dcb", "dcz",
    ]

    // MARK: Cache-Control (RFC 9111 §5.2)

    /// All that the registry has for responses, besides those of single products.
    private static let directives = [
        "max-age", "s-maxage", "no-cache", "no-store", "no-transform", "must-revalidate", "proxy-revalidate",
        "must-understand", "private", "public", "immutable", "stale-while-revalidate", "stale-if-error",
    ]

    private func addCacheControl(to found: inout [ServerMistake]) {
        let lines = fields[values: .cacheControl]
        guard !lines.isEmpty else { return addOldControl(to: &found) }
        let (text, control) = (lines.joined(separator: ", "), control)
        let unquoted = Self.withoutQuotes(text)
        let isSpaced = unquoted.contains(" =") || unquoted.contains("= ")
        // "public max-age=60" has two directives, and only the first one counts.
        let isJoined = !isSpaced && unquoted.split(separator: ",").contains { $0.split(separator: " ").count > 1 }
        if isSpaced || isJoined || unquoted.contains(";") {
            let parts = [
                isSpaced ? "no spaces around '='" : nil, isJoined ? "a comma between directives" : nil,
                unquoted.contains(";") ? "commas, not semicolons" : nil,
            ]
            found.add(
                "syntax", "'Cache-Control: \(text)' can't be read: \(parts.compactMap { $0 }.joined(separator: "; ")).")
        } else {
            for directive in control.directives where Self.takesSeconds.contains(directive.name) {
                let argument = directive.argument ?? ""
                guard argument.isEmpty || !argument.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { continue }
                found.add(
                    "seconds",
                    "'\(directive.name)' in 'Cache-Control: \(text)' takes a whole number of seconds, such as "
                        + "\(directive.name)=600.")
            }
        }
        for directive in control.directives where !Self.directives.contains(directive.name) {
            let close = Self.directives.filter { Self.isMeant($0, by: directive.name) }
            // A name with the same letters, as max_age for max-age, before one with another letter, as s-maxage.
            let meant = close.first { $0.filter(\.isLetter) == directive.name.filter(\.isLetter) } ?? close.first
            guard let meant else { continue }
            found.add("directive", "'\(directive.name)' in Cache-Control is unknown and ignored; write '\(meant)'.")
        }
        if control.has("no-store"), (maxAge ?? 0) > 0 || control.has("public") || control.has("immutable") {
            found.add(
                "contradiction",
                "'Cache-Control: \(text)' says both; no-store wins, and nothing is kept: leave one of them out.")
        }
        if control.has("immutable"), maxAge ?? 0 == 0, !fields.contains(.expires), !control.has("no-store") {
            found.add("immutable", "'immutable' holds while a response is fresh, and this one never is; add a max-age.")
        }
        if control.has("s-maxage"), !control.has("max-age"), !fields.contains(.expires), !control.has("no-cache") {
            found.add("s-maxage", "'s-maxage' is for shared caches alone; for web views and browsers add a max-age.")
        }
    }

    private static let takesSeconds: Set<String> = ["max-age", "s-maxage", "stale-while-revalidate", "stale-if-error"]

    private func addOldControl(to found: inout [ServerMistake]) {
        guard fields[.pragma]?.lowercased().contains("no-cache") == true else { return }
        found.add(
            "pragma",
            "'Pragma' means nothing in a response (RFC 9111 §5.4), and there is no Cache-Control; send "
                + "'Cache-Control: no-cache'.")
    }

    /// Whether a name is another one with other signs between its letters, or with one letter more, less or wrong.
    private static func isMeant(_ name: String, by written: String) -> Bool {
        let (meant, written) = (Array(name.filter(\.isLetter)), Array(written.filter(\.isLetter)))
        let same = zip(meant, written).prefix { $0 == $1 }.count
        let (left, right) = (meant.dropFirst(same), written.dropFirst(same))
        return left.isEmpty && right.count <= 1 || right.isEmpty && left.count <= 1
            || left.dropFirst() == right.dropFirst()
            || left.dropFirst() == right || left == right.dropFirst()
    }

    private static func withoutQuotes(_ text: String) -> String {
        var isQuoted = false
        return text.filter { character in
            if character == "\"" { isQuoted.toggle() }
            return !isQuoted
        }
    }

    // MARK: Dates

    private func addDates(to found: inout [ServerMistake]) {
        for name in [HTTPField.Name.date, .lastModified, .expires] {
            guard let text = fields[name], HTTPDate.parse(text, now: century) == nil, fields[values: name].count == 1
            else { continue }
            // A usual way to say that it is stale (RFC 9111 §5.3).
            if name == .expires, text == "0" || text == "-1" { continue }
            found.add("date", "'\(name.rawName): \(text)' is no date; write it like '\(HTTPDate.print(century))'.")
        }
        if let time, let date = fields[.date].flatMap({ HTTPDate.parse($0, now: time) }) {
            let age = Duration.seconds(fields[.age].flatMap { Int64($0) } ?? 0)
            let (behind, ahead) = (time - date - age, date - time)
            if max(behind, ahead) > Self.clockTolerance {
                let (way, by) = behind > ahead ? ("behind", behind) : ("ahead of", ahead)
                found.add(
                    "clock",
                    "'Date' is \(ReadableDuration.text(by)) \(way) this machine: correct the server's clock"
                        + (behind > ahead ? " (or a cache on the way sends no Age)." : "."))
            }
        }
    }

    /// Years of two digits need a century (RFC 9110 §5.6.7).
    private var century: WallInstant { time ?? WallInstant(sinceEpoch: .seconds(1_800_000_000)) }

    private static let clockTolerance = Duration.seconds(600)

    // MARK: Validators

    private static let single: [HTTPField.Name] = [
        .eTag, .contentType, .lastModified, .date, .expires, .age, .location,
    ]

    private func addValidators(to found: inout [ServerMistake]) {
        for name in Self.single where fields[values: name].count > 1 {
            let values = fields[values: name]
            let use = name == .eTag ? "neither is used" : "browsers and caches take different ones"
            found.add(
                "repeated",
                "\(values.count == 2 ? "Two" : "\(values.count)") \(name.rawName) fields; \(use): send one.")
        }
        if let tag = fields[.eTag], fields[values: .eTag].count == 1, EntityTag(tag) == nil {
            found.add(
                "etag",
                "'ETag: \(tag)' is not in quotes, so not every server and cache compares it; write ETag: \"\(tag)\".")
        }
        if status == 200, isStored, isFile || isPage, !isHashed, !fields.contains(.eTag),
            !fields.contains(.lastModified)
        {
            found.add(
                "validator",
                "There is no ETag and no Last-Modified: every check downloads the whole file again; send one.")
        }
    }
}

extension [ServerMistake] {
    mutating func add(_ name: String, _ words: String) { append(ServerMistake(name, words)) }
}
