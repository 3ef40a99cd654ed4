import CacheRules
import HTTPCacheSemantics
import HTTPTypes

/// Mistakes about who gets a response, and for how long.
extension ReceivedResponse {
    // MARK: Vary

    private static let fragmenting: Set<String> = [
        "user-agent", "referer", "accept-charset", "x-forwarded-for", "cf-ray", "x-request-id", "sec-ch-ua",
        "if-none-match", "if-modified-since", "cache-control", "date",
    ]

    func addVary(to found: inout [ServerMistake]) {
        guard status < 400, isStored else { return }
        let sent = ListField.members(fields[values: .vary])
        let names = Set(sent.map { $0.lowercased() })
        if names.contains("*") {
            found.add(
                "vary-star", "'Vary: *' has each visit fetch it anew; name the request fields that it depends on.")
        }
        let many = names.intersection(Self.fragmenting).union(isFile ? names.intersection(["cookie"]) : []).sorted()
        if !many.isEmpty {
            found.add(
                "vary",
                "'Vary: \(sent.filter { many.contains($0.lowercased()) }.joined(separator: ", "))' stores a copy "
                    + "for each value, such as each version of a browser, and a new value matches none; leave it out.")
        }
        if let allowed = fields[.accessControlAllowOrigin], allowed != "*", allowed != "null", !names.contains("origin")
        {
            found.add(
                "vary-origin",
                "'Access-Control-Allow-Origin: \(allowed)' without 'Vary: Origin': from a cache it fails for other "
                    + "origins; add 'Vary: Origin'.")
        }
    }

    // MARK: Cookies

    func addCookies(to found: inout [ServerMistake]) {
        guard isStored, status == 200 else { return }
        let isKept = (maxAge ?? 0) > 0
        if !fields.contains(.setCookie) {
            let varies = fields[values: .vary].contains { $0.lowercased().contains("cookie") }
            guard isPage, requestFields.contains(.cookie), isKept, !control.has("no-cache"), !varies else { return }
            found.add(
                "vary-cookie",
                "The page was asked for with cookies and is kept for all of them (no Vary: Cookie). If it depends on "
                    + "who is signed in, the next one sees it too: send 'Cache-Control: private, no-cache'.")
        } else if isFile {
            found.add(
                "cookie",
                "A file sets a cookie at each fetch; a cache between may hand it to others. Leave Set-Cookie out of "
                    + "files.")
        } else if isPage, isKept || control.has("public"), !control.has("private") {
            found.add(
                "cookie",
                "A page that sets a cookie may be kept as it is for everybody; send 'Cache-Control: private, "
                    + "no-cache'.")
        }
    }

    // MARK: How long

    func addLifetime(to found: inout [ServerMistake]) {
        guard status == 200 else { return }
        if isFile, control.has("no-store") {
            found.add(
                "no-store",
                "no-store has each visit fetch the file anew, and offline it is missing; send 'no-cache' in its place.")
        }
        if isHashed, isFile, isStored, !isPageInPlace, maxAge ?? 0 < 86_400 {
            found.add(
                "hashed",
                "The name has a hash, so the file never changes; send 'Cache-Control: max-age=31536000, immutable'.")
        }
        if isStored, let stamp = Self.timeStamp(in: target) {
            found.add(
                "query",
                "The query '\(stamp)' differs at each visit: a copy more each time, and none ever answers; leave it "
                    + "out.")
            return
        }
        guard isStored, let lifetime = maxAge, lifetime >= 86_400 else { return }
        let text = Self.words(lifetime)
        if isPage {
            found.add(
                "page-old",
                "A page that is fresh for \(text) shows no deploy before that; send 'Cache-Control: no-cache'.")
        } else if [.script, .style].contains(destination), !isHashed {
            found.add(
                "file-old",
                "No hash is seen in the name, and the file is fresh for \(text): unless it has one, new pages get "
                    + "the old file after a deploy. Put a hash into the name, or send 'Cache-Control: no-cache'.")
        }
    }

    /// A parameter whose value is a time in seconds or milliseconds.
    private static func timeStamp(in target: String) -> Substring? {
        let query = target.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        return query.split(separator: "&").first { item in
            let value = item.split(separator: "=", maxSplits: 1).last ?? ""
            return [10, 13].contains(value.utf8.count) && value.utf8.allSatisfy { (0x30...0x39).contains($0) }
                && value.hasPrefix("1")
        }
    }

    func addAge(to found: inout [ServerMistake]) {
        guard status == 200, isStored, let lifetime = maxAge, lifetime > 0,
            let age = fields[.age].flatMap({ Int64($0) }), age >= lifetime
        else { return }
        found.add(
            "age",
            "It arrives stale ('Age: \(age)', 'max-age=\(lifetime)'): a cache on the way keeps it longer than that; "
                + "shorten that cache's time.")
    }
}
