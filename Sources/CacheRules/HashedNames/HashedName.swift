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
/// Reading takes time proportional to the length of the path, and no allocation for a path in native
/// storage.
package struct HashedName: Hashable, Sendable {
    /// The hash as written in the name, for example `5d60c2ed348e2db0`.
    package let hash: Substring
    /// The naming convention.
    package let style: Style

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
        let start = path.utf8.index(path.utf8.startIndex, offsetBy: found.range.lowerBound)
        let end = path.utf8.index(start, offsetBy: found.range.count)
        hash = path[start..<end]
        style = found.style
    }
}

extension HashedName {
    /// The naming convention of a hashed name: the tool if folder or alphabet identify it, else the
    /// shape of the hash.
    package enum Style: String, Hashable, Sendable, CaseIterable {
        /// Below `/_next/static/`: 16 or 20 hexadecimal digits, 8 for media. Names below the folder
        /// of one build, such as `_buildManifest.js`, contain no content hash.
        case nextJS = "next"
        /// Below `/_next/static/`: 13 characters of `0-9 a-z` (and, by version, `_ - ~ .`), a
        /// 64-bit number whose first digit is at most 3.
        case turbopack
        /// Below `/_nuxt/`: 7 (Nuxt 2) or 8 hexadecimal digits, or 8 characters of Rollup.
        case nuxt
        /// Below `/_app/immutable/`, where every file is hashed: 8 characters of Rollup.
        case svelteKit = "sveltekit"
        /// Rollup 4, Vite 5 and later, Rolldown, Astro: 8 characters of base64url after `-` or `.`.
        case rollup
        /// esbuild, and Angular 17 and later: 8 characters of `A-Z 2-7` after `-` or `.`.
        case esbuild
        /// Bun: 8 characters of `0-9 a-z` after `-`.
        case bun
        /// ASP.NET Core 9 and later: 10 characters of `0-9 a-z` after `.`.
        case aspNetCore = "asp-net-core"
        /// 8 hexadecimal digits: webpack and Rspack if configured so (Create React App, Vue CLI),
        /// Parcel 1 and 2, Vite 2 to 4, Propshaft, mkdocs-material.
        case hex8
        /// 10 hexadecimal digits: gulp-rev.
        case hex10
        /// 12 hexadecimal digits: Django's manifest storage after `.`, GitHub after `-`.
        case hex12
        /// 16 hexadecimal digits: Rspack, webpack with xxhash64, Angular 12 to 16.
        case hex16
        /// 20 hexadecimal digits: webpack 4 and 5, Gatsby.
        case hex20
        /// 32 hexadecimal digits: webpack's file-loader, Sprockets 2, Phoenix, Ember.
        case hex32
        /// 40 hexadecimal digits: SHA-1.
        case hex40
        /// 64 hexadecimal digits: Sprockets 3 and 4, Hugo.
        case hex64
        /// The value of a query item that the caller named.
        case queryItem = "query-item"
    }
}
