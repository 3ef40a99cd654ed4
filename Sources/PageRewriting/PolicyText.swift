/// A Content Security Policy for a page whose scheme is another one, so that it allows what it allows at the page's own
/// address, and nothing else.
///
/// CSP3 §6.7.2 compares schemes. At `app-cache-https://shop.test`, `https://cdn.test` does not cover the same file
/// asked for through the cache, and `cdn.test` and `'self'` no longer cover https. So each source gets the other scheme
/// beside it: both stand for the same bytes of the same server. Sources are only added, and none names another host.
package struct PolicyText: Sendable {
    /// Texts to insert, with places counted from the first byte.
    package private(set) var insertions: [Insertion] = []
    /// The policy allows scripts or styles within the page by their hashes, so that these must keep every byte.
    package private(set) var hasHashes = false
    private let bytes: [UInt8]

    /// - Parameters:
    ///   - policy: One policy, or several with commas between.
    ///   - host: The page's host, with its port unless that is the default one; `nil` if unknown.
    package init(_ policy: String, host: String?) {
        bytes = Array(policy.utf8)
        for directive in bytes.split(whereSeparator: { $0 == 0x3B || $0 == 0x2C }) { read(directive, host) }
    }

    /// The policy with what is put into it.
    package var turned: String { String(decoding: insertions.put(into: bytes[...]), as: UTF8.self) }

    private mutating func read(_ directive: ArraySlice<UInt8>, _ host: String?) {
        var words = directive.split { $0 <= 0x20 }[...]
        guard let name = words.popFirst().map(Self.lowercased) else { return }
        // WebKit sends no report to a handler, and resolves these against the page's own scheme.
        if name == "report-uri", let host {
            for word in words where word.first == 0x2F {
                let isOfOther = word.dropFirst().first == 0x2F
                insertions.append(Insertion(at: word.startIndex, isOfOther ? "https:" : "https://" + host))
            }
        }
        guard Self.hasSources(name) else { return }
        for word in words {
            let source = Self.lowercased(word)
            if source.hasPrefix("'sha") { hasHashes = true }
            guard let added = Self.added(to: source, String(decoding: word, as: UTF8.self), host) else { continue }
            insertions.append(Insertion(at: word.endIndex, added))
        }
    }

    /// Directives whose value is a list of sources that requests of the page are compared with. `frame-ancestors` is
    /// about others.
    private static func hasSources(_ name: String) -> Bool {
        name.hasSuffix("-src") || name.hasSuffix("-src-elem") || name.hasSuffix("-src-attr") || name == "form-action"
            || name == "base-uri"
    }

    private static func added(to source: String, _ written: String, _ host: String?) -> String? {
        if source == "'self'" { return host.map { " https://\($0) wss://\($0)" } }
        if source == "https:" || source.hasPrefix("https://") {
            return " " + NamedHosts.plainInsertion + (withoutDefaultPort(written) ?? written)
        }
        // §6.7.2.8: `http` matches https as well, and so do `ws` and `wss`.
        for (scheme, port) in [("http:", ":80"), ("ws:", ":80"), ("wss:", ":443")] where source.hasPrefix(scheme) {
            let rest = "https:" + written.dropFirst(scheme.count)
            return " " + NamedHosts.plainInsertion + (withoutDefaultPort(rest, port) ?? rest)
        }
        guard !source.hasPrefix("'"), source != "*", !source.hasSuffix(":"), !source.contains("://") else { return nil }
        return " https://" + written + (withoutDefaultPort(written).map { " " + $0 } ?? "")
    }

    /// The other scheme has no default port, so that one would be another one there (CSP3 §6.7.2.11).
    ///
    /// - Returns: `nil` for a source without that port.
    private static func withoutDefaultPort(_ source: String, _ port: String = ":443") -> String? {
        let scheme = source.prefix { $0 != "/" }.hasSuffix(":") ? "https://".count : 0
        let end = source.dropFirst(scheme).firstIndex(of: "/") ?? source.endIndex
        guard source[..<end].hasSuffix(port) else { return nil }
        return String(source[..<end].dropLast(port.count) + source[end...])
    }

    private static func lowercased(_ word: ArraySlice<UInt8>) -> String {
        String(decoding: word.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}

/// The addresses in an import map, HTML §8.1.5.3: in JSON, each string may be one, as a name and as a value.
enum ImportMapText {
    /// - Parameters:
    ///   - text: The JSON, as it is in the page.
    ///   - offset: The offset of its first byte.
    /// - Returns: Where addresses of named hosts begin.
    static func insertions(_ text: String, at offset: Int, _ hosts: NamedHosts, isUTF8: Bool) -> [Insertion] {
        var insertions: [Insertion] = []
        let bytes = Array(text.utf8)
        var index = 0
        while index < bytes.count {
            guard bytes[index] == 0x22 else {
                index += 1
                continue
            }
            let start = index + 1
            var string: [UInt8] = []
            index = start
            while index < bytes.count, bytes[index] != 0x22 {
                // The only escape in addresses is `\/`.
                if bytes[index] == 0x5C, index + 1 < bytes.count {
                    if bytes[index + 1] != 0x2F { string.append(0x5C) }
                    index += 1
                }
                string.append(bytes[index])
                index += 1
            }
            index += 1
            let value = String(decoding: string, as: UTF8.self)
            if hosts.contains(value, isUTF8: isUTF8) { insertions.append(Insertion(at: offset + start)) }
        }
        return insertions
    }
}
