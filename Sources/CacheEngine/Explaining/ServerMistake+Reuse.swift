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

    var ofVary: [ServerMistake] {
        guard status < 400, isStored else { return [] }
        let sent = ListField.members(fields[values: .vary])
        let names = Set(sent.map { $0.lowercased() })
        var found = [ServerMistake]()
        if names.contains("*") {
            found.add(
                "vary-star", "'Vary: *' has each visit fetch it anew; name the request fields that it depends on.")
        }
        let many = names.intersection(Self.fragmenting).union(isFile ? names.intersection(["cookie"]) : []).sorted()
        if !many.isEmpty {
            found.add(
                "vary",
                "'Vary: \(sent.filter { many.contains($0.lowercased()) }.joined(separator: ", "))' stores a copy "
                    + "for each value, such as each version of a browser, and a new value matches none; leave it out."
            )
        }
        if let allowed = fields[.accessControlAllowOrigin], allowed != "*", allowed != "null", !names.contains("origin")
        {
            found.add(
                "vary-origin",
                "'Access-Control-Allow-Origin: \(allowed)' without 'Vary: Origin': from a cache it fails for other "
                    + "origins; add 'Vary: Origin'."
            )
        }
        return found
    }

    // MARK: Cookies

    var ofCookies: [ServerMistake] {
        guard isStored, status == 200 else { return [] }
        let varies = fields[values: .vary].contains { $0.lowercased().contains("cookie") }
        if !fields.contains(.setCookie) {
            guard isPage, requestFields.contains(.cookie), (maxAge ?? 0) > 0, !control.has("no-cache"), !varies else {
                return []
            }
            return [
                ServerMistake(
                    "vary-cookie",
                    "The page was asked for with cookies and is kept for all of them (no Vary: Cookie). If it "
                        + "depends on who is signed in, the next one sees it too: send 'Cache-Control: private, "
                        + "no-cache'."
                )
            ]
        }
        if isFile {
            return [
                ServerMistake(
                    "cookie",
                    "A file sets a cookie at each fetch; a cache between may hand it to others. Leave Set-Cookie "
                        + "out of files."
                )
            ]
        }
        guard isPage, (maxAge ?? 0) > 0 || control.has("public"), !control.has("private") else { return [] }
        return [
            ServerMistake(
                "cookie",
                "A page that sets a cookie may be kept as it is for everybody; send 'Cache-Control: private, no-cache'."
            )
        ]
    }

    // MARK: How long

    var ofLifetime: [ServerMistake] {
        guard status == 200 else { return [] }
        var found = [ServerMistake]()
        if isFile, control.has("no-store") {
            found.add(
                "no-store",
                "no-store has each visit fetch the file anew, and offline it is missing; send 'no-cache' in its place."
            )
        }
        if isHashed, isFile, isStored, !isPageInPlace, maxAge ?? 0 < 86_400 {
            found.add(
                "hashed",
                "The name has a hash, so the file never changes; send 'Cache-Control: max-age=31536000, immutable'."
            )
        }
        if isStored, let stamp = Self.timeStamp(in: target) {
            found.add(
                "query",
                "The query '\(stamp)' differs at each visit: a copy more each time, and none ever answers; leave it "
                    + "out."
            )
            return found + ofAge
        }
        guard isStored, let lifetime = maxAge, lifetime >= 86_400 else { return found + ofAge }
        let text = Self.words(lifetime)
        if isPage {
            found.add(
                "page-old",
                "A page that is fresh for \(text) shows no deploy before that; send 'Cache-Control: no-cache'."
            )
        } else if [.script, .style].contains(destination), !isHashed {
            found.add(
                "file-old",
                "No hash is seen in the name, and the file is fresh for \(text): unless it has one, new pages get "
                    + "the old file after a deploy. Put a hash into the name, or send 'Cache-Control: no-cache'."
            )
        }
        return found + ofAge
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

    private var ofAge: [ServerMistake] {
        guard isStored, let lifetime = maxAge, lifetime > 0, let age = fields[.age].flatMap({ Int64($0) }),
            age >= lifetime
        else { return [] }
        return [
            ServerMistake(
                "age",
                "It arrives stale ('Age: \(age)', 'max-age=\(lifetime)'): a cache on the way keeps it longer than "
                    + "that; shorten that cache's time."
            )
        ]
    }
}
