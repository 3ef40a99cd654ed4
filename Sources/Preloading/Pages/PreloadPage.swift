import HTTPCacheSemantics
import HTTPTypes

/// A page that says by its links what to fetch ahead: HTML that holds only `<link>` with `preload`, `modulepreload`,
/// `stylesheet`, `icon` or `prefetch`, and its field `Link` with `rel=preload`.
///
/// Beside links there may be a doctype, `html`, `head`, `body`, `title`, `meta`, `base` and comments. Everything else is
/// refused, so that nothing is left out unseen.
package enum PreloadPage {
    /// More is refused.
    package static let longest = ByteCount.mebibytes(1)
    /// More links are refused.
    package static let mostLinks = 5_000

    /// A URL that stands there twice counts once.
    ///
    /// `integrity` with one SHA-256 is what the content must have; longer hashes are left to the page. `fetchpriority="low"`,
    /// `media` and `prefetch` make it ``PreloadGroup/lazy``: nobody knows ahead which media there will be.
    /// `type` is a hint (HTML §4.6.7), and nothing is expected of it.
    ///
    /// - Parameters:
    ///   - url: The page's own, which relative ones and the fields of requests go by.
    ///   - fields: Of the response, for its `Link` fields (RFC 8288).
    ///   - group: Of what says nothing else.
    /// - Throws: For the first thing that is no part of such a page.
    package static func read(
        _ text: [UInt8], url: String, fields: HTTPFields = [:], group: PreloadGroup = .page
    ) throws(PreloadPageError) -> [PreloadItem] {
        guard text.count <= longest.bytes else {
            throw PreloadPageError(.tooLarge, "The page is longer than \(longest); split it.")
        }
        guard let page = TargetURI.resolve(url, against: url) else {
            throw PreloadPageError(.unavailable, "The page's URL is no absolute http or https URL.")
        }
        var collected = PreloadPageLinks(page: page, group: group)
        for link in LinkField.links(fields) {
            if let attributes = link.preload { try collected.add(attributes, line: 0) }
        }
        var reader = MarkupReader(text)
        while let tag = try reader.next() {
            switch tag.name {
            case "html", "head", "body": break
            case "link" where !tag.isEnd: try collected.add(tag.attributes, line: tag.line)
            case "base" where !tag.isEnd: try collected.setBase(tag.attributes, line: tag.line)
            case "meta" where !tag.isEnd: try check(meta: tag)
            case "title" where !tag.isEnd: try reader.skipText(of: "title")
            default:
                throw PreloadPageError(
                    .unknownContent, line: tag.line,
                    "This page holds more than preload links: <\(tag.isEnd ? "/" : "")\(tag.name)>. Keep to <link> tags."
                )
            }
        }
        return collected.items
    }

    private static func check(meta tag: MarkupReader.Tag) throws(PreloadPageError) {
        let directive = tag.attributes["http-equiv"]?.lowercased()
        guard directive == nil || directive == "content-type" || directive == "x-ua-compatible" else {
            throw PreloadPageError(
                .unknownContent, line: tag.line, "This page holds more than preload links: <meta> with http-equiv.")
        }
        let charset = tag.attributes["charset"]?.lowercased() ?? "utf-8"
        guard charset == "utf-8" || charset == "utf8" else {
            throw PreloadPageError(.unknownContent, line: tag.line, "The page is not in UTF-8; save it as UTF-8.")
        }
    }
}
