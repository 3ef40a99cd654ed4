import HTTPCacheSemantics
import HTTPTypes

/// The content hash that a build tool put into the name of a file.
///
/// Such a file never changes under its URL: new content gets a new name, so a stored response stays
/// valid. No standard says so, and no name proves it: this is a guess from the naming conventions of
/// build tools, to be confirmed by comparing bytes. It prefers precision: a name that could be a
/// word, a date, a version, a number, a UUID or a user's upload is not taken for a hash, and some
/// true hashes are missed.
///
/// Names are compared octet by octet, and percent-encoded octets are not decoded; no tool puts them
/// into a hash. The folders of the path count as evidence:
///
/// - Below a folder `api`, `graphql` or `rpc` nothing is taken for a hash: similar names there are
///   identifiers of objects.
/// - Scripts, style sheets, WebAssembly, source maps and fonts are recognised in any other folder;
///   eight hexadecimal digits or eight mixed characters that are the whole name only in a folder
///   for assets.
/// - Images, media and data are recognised only in a folder for assets (`assets`, `static`, `dist`,
///   `build`, `img`, …), and not below `uploads`, `avatars`, `users` and the like.
///   `/images/avatar-a1b2c3d4.png` is therefore not recognised: users' uploads have random suffixes
///   of the same shape, and may be replaced in place.
/// - Other files, and paths without an extension, are never recognised: commits, sessions and
///   entity identifiers have no extension.
///
/// Hashes that read like a word or a number are missed (shares measured on the file names of
/// published applications, and on random hashes where those were too few): of Rollup's mixed-case
/// names one in eleven, of esbuild's one in five, of eight hexadecimal digits one in eleven, of
/// twelve one in seventy, of sixteen one in five hundred; of ASP.NET Core's one in five, of Bun's
/// one in three. Below `/_app/immutable/` and `/_next/static/`, and with webpack's `.chunk`, almost
/// none are missed. A slot without a digit, such as `deadbeef`, is never a hexadecimal hash.
///
/// The hash in the name of a source map or of a compressed copy is that of the original file; some
/// tools hash the whole build. Either changes whenever the content does, unless the tool has a bug;
/// comparing bytes finds that.
///
/// Reading takes time proportional to the length of the path.
package struct HashedName: Hashable, Sendable {
    /// The hash as written in the name, for example `5d60c2ed348e2db0`.
    package let hash: Substring

    /// Reads the last segment of a path.
    ///
    /// - Parameters:
    ///   - path: A request's path, with or without its query (RFC 9110 §7.1, `:path`); a fragment
    ///     is ignored.
    ///   - queryItems: Names of query items whose value may be the hash when the file name has
    ///     none, such as `v` in `app.js?v=5d60c2ed348e2db0`; compared octet by octet. None by
    ///     default: most such values are versions or times.
    /// - Returns: `nil` if no hash is recognised.
    public init?(path: String, queryItems: [String] = []) {
        var path = path
        guard let found = path.withUTF8({ PathAndQuery($0).hash(orInQueryItems: queryItems) }) else { return nil }
        let start = path.utf8.index(path.utf8.startIndex, offsetBy: found.lowerBound)
        hash = path[start..<path.utf8.index(start, offsetBy: found.count)]
    }
}

/// The promise of a name with a content hash: the response is the whole file, for every user.
///
/// Servers also send other responses under such names: an application's page for every unknown path, an empty 200 while
/// they start, a redirect to the sign-in. The name promises nothing about those.
package enum NamePromise {
    /// Why a response is not what its name promises. It must have the status 200, a media type of files with this
    /// extension, and content. In a shared cache it must also have no field that limits it to one user or limits its
    /// use by shared caches: `no-store`, `private`, `no-cache`, `must-revalidate`, `proxy-revalidate`, `s-maxage` and
    /// `Set-Cookie`. Some of these also let a response to `Authorization` be stored (RFC 9111 §3.5), and it must not be
    /// reused for another user without validation.
    ///
    /// - Parameters:
    ///   - path: The request's path, with or without its query.
    ///   - length: The length of the content as sent, in bytes; `nil` if unknown.
    ///   - ignoring: The directives that the rule ignores; ignored `no-store` and `private` are no
    ///     breach.
    /// - Returns: The breach, as a phrase after "it has"; `nil` if the promise is kept.
    package static func breach(
        path: String, status: HTTPResponse.Status, fields: HTTPFields, length: Int64?, in kind: CacheKind,
        ignoring: Set<OverridableDirective> = []
    ) -> String? {
        guard status == .ok else { return "status \(status.code)" }
        guard let type = fields.combined(.contentType) else { return "no Content-Type" }
        let isFitting = Subject.withBytes(type) { type in types(path: path).contains { $0.fits(type) } }
        guard isFitting else { return "the type \(type)" }
        // Empty content takes twenty bytes in gzip; other codings need less.
        let least: Int64 = fields.contains(.contentEncoding) ? 21 : 1
        if let length, length < least { return "no content" }
        return kind == .shared ? breachInSharedCache(fields, ignoring) : nil
    }

    private static func breachInSharedCache(_ fields: HTTPFields, _ ignoring: Set<OverridableDirective>) -> String? {
        if fields.contains(.setCookie) { return "a Set-Cookie, in a shared cache" }
        var forbidding: Set = [
            "no-store", "private", "no-cache", "must-revalidate", "proxy-revalidate", "s-maxage",
        ]
        if ignoring.contains(.noStore) { forbidding.remove("no-store") }
        if ignoring.contains(.private) { forbidding.remove("private") }
        for name in [.cacheControl] + TargetedCacheControl.sharedCacheTargets {
            let control = CacheControl(lines: fields[values: name])
            if let directive = control.directives.first(where: { forbidding.contains($0.name) }) {
                return "\(directive.name), in a shared cache"
            }
        }
        return nil
    }

    /// The media types of files with the extension of a path; empty for other extensions.
    private static func types(path: String) -> [MediaTypePattern] {
        let end = path.utf8.firstIndex { $0 == 0x3F || $0 == 0x23 } ?? path.endIndex
        let name = path[..<end].utf8.split(separator: 0x2F).last.map(Substring.init) ?? ""
        var parts = name.split(separator: ".").map { String($0).asciiLowercased }
        guard let last = parts.popLast() else { return [] }
        guard let coded = codings[last] else { return byExtension[last] ?? [] }
        // A compressed copy is sent as such, or as the file with a Content-Encoding.
        return coded + (parts.last.flatMap { byExtension[$0] } ?? [])
    }

    private static func patterns(_ types: String...) -> [MediaTypePattern] { types.map { MediaTypePattern($0) } }

    /// The types of a server that does not know the type of the file.
    private static let bytes = patterns("application/octet-stream", "binary/octet-stream")
    private static let script = MediaTypeKind.scripts.map { MediaTypePattern($0) } + patterns("text/jsx")
    private static let json = patterns(
        "application/json", "text/json", "application/manifest+json", "application/geo+json",
        "application/vnd.geo+json")
    private static let font = MediaTypeKind.fonts.map { MediaTypePattern($0) } + patterns("font/*")
    private static let image = patterns("image/*")
    private static let media = patterns("video/*", "audio/*", "application/mp4", "application/ogg")
    private static let model = patterns("model/*")

    private static let codings: [String: [MediaTypePattern]] = [
        "gz": patterns("application/gzip", "application/x-gzip") + bytes,
        "br": patterns("application/brotli", "application/x-brotli", "application/x-br") + bytes,
        "zst": patterns("application/zstd") + bytes,
    ]
    private static let byExtension: [String: [MediaTypePattern]] = {
        var types: [String: [MediaTypePattern]] = [
            "css": patterns("text/css"), "wasm": patterns("application/wasm") + bytes, "map": json + bytes,
            "json": json, "geojson": json, "webmanifest": json, "gltf": model + json, "glb": model + bytes,
            "onnx": bytes + patterns("application/onnx"), "bin": bytes, "cur": image + bytes, "ico": image + bytes,
        ]
        for name in ["js", "mjs", "cjs", "jsx"] { types[name] = script }
        for name in ["woff2", "woff", "ttf", "otf", "eot"] { types[name] = font + bytes }
        for name in ["png", "svg", "jpg", "jpeg", "webp", "gif", "avif", "jxl", "bmp"] { types[name] = image }
        for name in ["mp4", "webm", "mp3", "ogg", "wav", "m4a"] { types[name] = media + bytes }
        return types
    }()
}
