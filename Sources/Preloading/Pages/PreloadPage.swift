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
    ///   - fields: The response's fields, for its `Link` fields (RFC 8288).
    ///   - group: The group of items that name none.
    /// - Throws: ``PreloadPageError`` for the first thing that is no part of such a page.
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

/// Fetches a preload page, which is no page that the user sees.
extension PreloadQueue {
    /// Asks for a preload page, or for whether the stored one still holds.
    ///
    /// - Parameter url: Absolute, https; http on loopback only.
    /// - Returns: The items that it lists, to be given to ``add(_:set:)``.
    package func items(
        ofPage url: String, group: PreloadGroup = .page
    ) async throws(PreloadPageError) -> [PreloadItem] {
        guard TrustworthyOrigin.isPotentiallyTrustworthy(origin: url) else {
            throw PreloadPageError(.unavailable, "A preload page is read over https only; http is for loopback.")
        }
        let fetch = ManifestFetch(cache: cache, configuration: configuration, types: "text/html, */*;q=0.1")
        let answer: ManifestFetch.Answer
        do throws(ManifestUpdateError) {
            answer = try await fetch.get(
                url, limit: Int(clamping: PreloadPage.longest.bytes), mode: .revalidate, what: "preload page")
        } catch {
            throw PreloadPageError(.unavailable, error.message, cause: error)
        }
        return try PreloadPage.read(answer.content, url: url, fields: answer.fields, group: group)
    }
}

/// Why a preload page can't be used.
public struct PreloadPageError: Error, Sendable, CustomStringConvertible {
    public var code: Code
    /// The problem and its remedy, in one sentence.
    package var message: String
    /// Counted from 1; 0 for the page as a whole.
    package var line: Int
    public var cause: (any Error)?

    init(_ code: Code, line: Int = 0, _ message: String, cause: (any Error)? = nil) {
        (self.code, self.line, self.message, self.cause) = (code, line, message, cause)
    }

    public var description: String { line == 0 ? message : "line \(line): \(message)" }

    public enum Code: Hashable, Sendable {
        /// It exceeds ``PreloadPage/longest`` or ``PreloadPage/mostLinks``.
        case tooLarge
        /// It holds something else than preload links, or markup that readers take differently.
        case unknownContent
        /// A link says what can't be fetched ahead.
        case badLink
        /// It can't be had from the server now.
        case unavailable
    }
}
