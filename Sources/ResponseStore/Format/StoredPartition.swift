import Foundation
import GRDB
import HTTPCacheSemantics

/// The account and the site of a key, as the one text that heads and the index have for both.
///
/// An account without a site is stored as it is. A site follows its account after a separator that can't occur within
/// a stored account, so that no account's name passes for the site of another one:
///
///     account, with U+001F written twice
///     U+001F U+001E and the site as it is; neither of them without a site
enum StoredPartition {
    private static let mark: UInt8 = 0x1F
    private static let separator: UInt8 = 0x1E

    static func text(_ account: String, site: String = "") -> String {
        let isPlain = !account.utf8.contains(mark)
        if isPlain, site.isEmpty { return account }
        var bytes = isPlain ? Array(account.utf8) : account.utf8.flatMap { $0 == mark ? [mark, mark] : [$0] }
        if !site.isEmpty {
            bytes += [mark, separator]
            bytes += site.utf8
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// - Returns: `nil` for a text that no key is stored as.
    static func key(_ text: String, uri: String) -> CacheKey? {
        guard text.utf8.contains(mark) else { return CacheKey(partition: text, uri: uri) }
        var account: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            account.append(byte)
            guard byte == mark else { continue }
            switch rest.popFirst() {
            case mark?: continue
            case separator? where !rest.isEmpty:
                return CacheKey(
                    partition: String(decoding: account.dropLast(), as: UTF8.self),
                    site: String(decoding: rest, as: UTF8.self), uri: uri)
            default: return nil
            }
        }
        return CacheKey(partition: String(decoding: account, as: UTF8.self), uri: uri)
    }

    /// The condition for all that an account has, whatever its site: its own text, and all texts that begin with it and
    /// a separator. The latter twice, because a text with a NUL is stored as bytes, which sort after every text.
    static let ofAccount = """
        (partition = ? OR (partition >= ? AND partition < ?) OR (partition >= ? AND partition < ?))
        """

    /// The arguments of ``ofAccount``.
    static func arguments(ofAccount account: String) -> StatementArguments {
        let stored = Array(text(account).utf8)
        let (first, end) = (stored + [mark, separator], stored + [mark, separator + 1])
        return [
            text(account).indexed, String(decoding: first, as: UTF8.self).indexed,
            String(decoding: end, as: UTF8.self).indexed, Data(first), Data(end),
        ]
    }
}

extension CacheKey {
    /// See ``StoredPartition``.
    var storedPartition: String { StoredPartition.text(partition, site: site) }
}
