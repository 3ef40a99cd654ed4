import HTTPCacheSemantics
import HTTPTypes
import PageSyntax

/// A page that says by its links what to fetch ahead: HTML that holds only `<link>` with `preload`, `modulepreload`,
/// `stylesheet`, `icon` or `prefetch`, and its field `Link` with `rel=preload`.
///
/// Beside links there may be a doctype, `html`, `head`, `body`, `title`, `meta`, `base` and comments. Everything else
/// is refused, so that nothing is left out unseen.
package enum PreloadPage {
    /// More is refused.
    package static let longest = ByteCount.mebibytes(1)
    /// More links are refused.
    package static let mostLinks = 5_000

    /// A URL that stands there twice counts once.
    ///
    /// `integrity` with one SHA-256 is what the content must have; longer hashes are left to the page.
    /// `fetchpriority="low"`, `media` and `prefetch` make it ``PreloadGroup/lazy``: nobody knows ahead which media
    /// there will be. `type` is a hint (HTML §4.6.7), and nothing is expected of it.
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
        for attributes in LinkField.preloads(fields) { try collected.add(attributes, line: 0) }
        var reader = PreloadPageReader(text, collected)
        return try reader.read()
    }
}

/// Reads the tags of a preload page as browsers do, and refuses all that has no part in one.
private struct PreloadPageReader {
    private let bytes: [UInt8]
    private var collected: PreloadPageLinks
    private var isInTitle = false
    private var problem: PreloadPageError?
    /// The place up to which lines were counted, and its line.
    private var counted = 0
    private var line = 1

    init(_ text: [UInt8], _ collected: PreloadPageLinks) {
        // U+FEFF.
        bytes = text.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(text.dropFirst(3)) : text
        self.collected = collected
    }

    mutating func read() throws(PreloadPageError) -> [PreloadItem] {
        var limits = HTMLTokenizer.Limits()
        limits.attributes = 64
        var tokenizer = HTMLTokenizer(limits: limits)
        tokenizer.feed(bytes) { token in
            guard problem == nil else { return }
            do throws(PreloadPageError) { try read(token) } catch { problem = error }
        }
        if problem == nil, isInTitle || tokenizer.reported < bytes.count {
            problem = unknown("a tag, title or comment without end", at: bytes.count)
        }
        if let problem { throw problem }
        return collected.items
    }

    private mutating func read(_ token: HTMLToken) throws(PreloadPageError) {
        switch token {
        case .text(let text):
            if !isInTitle, let place = text.bytes.firstIndex(where: { !Self.isSpace($0) }) {
                throw unknown("text", at: text.offset + place)
            }
        case .comment(let range, let content):
            guard content.lowerBound - range.lowerBound == 4, range.upperBound - content.upperBound == 3
            else { throw unknown("a comment that is not between '<!--' and '-->'", at: range.lowerBound) }
        case .doctype(let range):
            let text = String(decoding: bytes[range], as: UTF8.self).lowercased()
            guard text.filter({ !$0.isWhitespace }) == "<!doctypehtml>" else {
                throw unknown("another doctype than '<!doctype html>'", at: range.lowerBound)
            }
        case .oversized(let range): throw unknown("a tag with too many attributes", at: range.lowerBound)
        case .endTag(let tag):
            guard tag.attributes.isEmpty else { throw unknown("an end tag with attributes", at: tag.offset) }
            switch tag.localName {
            case "html", "head", "body": break
            case "title" where isInTitle: isInTitle = false
            default: throw unknown("</\(tag.localName)>", at: tag.offset)
            }
        case .startTag(let tag):
            var attributes: [String: String] = [:]
            for attribute in tag.attributes {
                let value = tag.value(of: attribute)
                // A parse error of HTML §13.2.5 by a quote too few or too many, or octets that are not UTF-8.
                guard Self.isSeparate(attribute, of: tag), !value.unicodeScalars.contains("\u{FFFD}") else {
                    throw unknown("an attribute that is not written as name=\"value\"", at: tag.offset)
                }
                attributes[tag.name(of: attribute)] = value
            }
            let line = line(at: tag.offset)
            switch tag.localName {
            case "html", "head", "body": break
            case "link": try collected.add(attributes, line: line)
            case "base": try collected.setBase(attributes, line: line)
            case "meta": try check(meta: attributes, line)
            case "title": isInTitle = true
            default: throw unknown("<\(tag.localName)>", at: tag.offset)
            }
        }
    }

    private static func isSeparate(_ attribute: HTMLAttribute, of tag: HTMLTag) -> Bool {
        guard !tag.name(of: attribute).utf8.contains(where: { [0x22, 0x27, 0x3C, 0x3D].contains($0) }) else {
            return false
        }
        let raw = tag.rawValue(of: attribute)
        switch attribute.quoting {
        case .none: return true
        case .unquoted: return !raw.isEmpty && !raw.contains { [0x22, 0x27, 0x3C, 0x3D, 0x60].contains($0) }
        case .single, .double:
            let next = tag.bytes[tag.valueRange(of: attribute).upperBound - tag.offset + 1]
            return isSpace(next) || next == 0x2F || next == 0x3E
        }
    }

    private mutating func check(meta attributes: [String: String], _ line: Int) throws(PreloadPageError) {
        let directive = attributes["http-equiv"]?.lowercased()
        guard directive == nil || directive == "content-type" || directive == "x-ua-compatible" else {
            throw PreloadPageError(
                .unknownContent, line: line, "This page holds more than preload links: <meta> with http-equiv.")
        }
        let charset = attributes["charset"]?.lowercased() ?? "utf-8"
        guard charset == "utf-8" || charset == "utf8" else {
            throw PreloadPageError(.unknownContent, line: line, "The page is not in UTF-8; save it as UTF-8.")
        }
    }

    private mutating func unknown(_ what: String, at offset: Int) -> PreloadPageError {
        PreloadPageError(
            .unknownContent, line: line(at: offset),
            "This page holds more than preload links: \(what). Keep to <link> tags.")
    }

    /// - Parameter offset: Not before the one of the last call.
    private mutating func line(at offset: Int) -> Int {
        line += bytes[counted..<offset].count { $0 == 0x0A }
        counted = offset
        return line
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x09, 0x0A, 0x0C, 0x0D, 0x20].contains(byte) }
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
                url, limit: Int(clamping: PreloadPage.longest.bytes), mode: .reload, what: "preload page")
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
