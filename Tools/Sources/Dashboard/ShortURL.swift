/// A URL as short as a table needs it: no scheme, no host where it is the page's, the middle of long parts left out.
struct ShortURL {
    /// Empty where the host is the page's, or where the URL has none.
    let host: String
    /// The path up to its last slash, which is what a narrow column leaves out first; empty without a host.
    let directory: String
    /// The last segment, or all of a URL without a host.
    let file: String
    /// The query and the fragment, with their marks.
    let query: String

    /// - Parameters:
    ///   - page: The page's address.
    ///   - limit: Most characters of each part.
    init(_ url: String, onPage page: String, limit: Int = 32) {
        let parts = Self.split(url)
        host = parts.authority == Self.split(page).authority ? "" : parts.authority.shortened(to: limit)
        let path = parts.rest.prefix { $0 != "?" && $0 != "#" }
        // A slash at the very end belongs to the file, so that there always is one.
        let slash = parts.authority.isEmpty ? nil : path.dropLast().lastIndex(of: "/")
        let start = slash.map { parts.rest.index(after: $0) } ?? parts.rest.startIndex
        directory = String(parts.rest[..<start]).shortened(to: limit)
        file = (path.isEmpty ? "/" : String(path[start...])).shortened(to: limit)
        query = String(parts.rest[path.endIndex...]).shortened(to: limit)
    }

    private static func split(_ url: String) -> (authority: String, rest: String) {
        // Only the beginning can hold the authority, and a data: URL can be megabytes long.
        let head = url.prefix(2048)
        guard let colon = head.firstIndex(of: ":"), head[colon...].hasPrefix("://") else { return ("", url) }
        let start = url.index(colon, offsetBy: 3)
        let end = url[start...].firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? url.endIndex
        return (String(url[start..<end]), String(url[end...]))
    }
}

extension String {
    /// The text with its middle replaced by an ellipsis; more of its end is kept, where file names differ.
    ///
    /// - Parameter limit: Most characters of the result.
    func shortened(to limit: Int) -> String {
        // Counting a whole data: URL would be slow, and its bytes already tell.
        guard utf8.count > limit, limit > 2, prefix(limit + 1).count > limit else { return self }
        let front = (limit - 1) * 2 / 5
        return prefix(front) + "…" + suffix(limit - 1 - front)
    }
}
