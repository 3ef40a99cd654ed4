import Fetching
import HTTPCacheSemantics

/// A list of what to fetch ahead: an absolute URL a line. White space around it, empty lines and `#` lines don't count.
package enum PreloadList {
    /// More is refused.
    package static let longest = ByteCount.mebibytes(16)
    /// More URLs are refused.
    package static let mostItems = 50_000
    /// A longer line is refused, in bytes.
    package static let longestLine = 8_192

    /// The use of each line is guessed by its extension, see ``PreloadDestination/init(guessedFromPath:)``. A URL that
    /// stands there twice counts once.
    ///
    /// - Throws: ``PreloadListError`` for the first line that can't be read.
    package static func read(
        _ text: [UInt8], group: PreloadGroup = .page
    ) throws(PreloadListError) -> [PreloadItem] {
        guard text.count <= longest.bytes else {
            throw PreloadListError(line: 0, message: "The list is longer than \(longest); split it.")
        }
        var items: [PreloadItem] = []
        var known: Set<String> = []
        var number = 0
        // U+FEFF at the beginning of UTF-8.
        let content = text.starts(with: [0xEF, 0xBB, 0xBF]) ? text.dropFirst(3) : text[...]
        for line in content.split(separator: 0x0A, omittingEmptySubsequences: false) {
            number += 1
            let line = trimmed(line)
            guard let first = line.first, first != 0x23 else { continue }
            let url = try url(line, number)
            guard known.insert(url).inserted else { continue }
            guard items.count < mostItems else {
                throw PreloadListError(line: number, message: "The list has more than \(mostItems) URLs; split it.")
            }
            items.append(PreloadItem(url: url, group: group))
        }
        return items
    }

    private static func url(_ line: ArraySlice<UInt8>, _ number: Int) throws(PreloadListError) -> String {
        guard line.count <= longestLine else {
            throw PreloadListError(line: number, message: "The line is longer than \(longestLine) bytes.")
        }
        guard line.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw PreloadListError(
                line: number, message: "A URL has no spaces or control characters; write one URL a line.")
        }
        let text = String(decoding: line, as: UTF8.self)
        guard let url = TargetURI.resolve(text, against: text) else {
            throw PreloadListError(line: number, message: "This is no absolute http or https URL.")
        }
        guard URLUserinfo.split(text).userinfo == nil else {
            throw PreloadListError(
                line: number, message: "A list holds no passwords; leave out the part before '@'.")
        }
        return url
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
        let start = line.drop(while: isSpace)
        guard let last = start.lastIndex(where: { !isSpace($0) }) else { return [] }
        return start[...last]
    }
}

/// Why a ``PreloadList`` can't be read.
public struct PreloadListError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Counted from 1; 0 for the list as a whole.
    public var line: Int
    /// The problem and its remedy, in one sentence.
    package var message: String

    public var description: String { line == 0 ? message : "line \(line): \(message)" }
}
