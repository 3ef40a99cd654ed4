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
