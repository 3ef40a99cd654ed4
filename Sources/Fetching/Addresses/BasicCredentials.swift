import Foundation
import HTTPCacheSemantics

/// A user name and a password for the scheme Basic, RFC 7617. Printing them shows neither.
package struct BasicCredentials: Hashable, Sendable {
    package let user: String
    package let password: String

    /// Both together, in octets.
    package static let greatestLength = 4_096

    /// - Returns: `nil` where they can't be sent: a colon in the user name, a control character (RFC 7617 §2), or more
    ///   than ``greatestLength`` octets.
    package init?(user: String, password: String) {
        let octets = [user.utf8, password.utf8].joined()
        guard octets.count <= Self.greatestLength, octets.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }),
            !user.utf8.contains(0x3A)
        else { return nil }
        self.user = user
        self.password = password
    }

    /// A URL's credentials, percent-encoded: "includes credentials", URL standard §4.2.
    ///
    /// - Parameter userinfo: Without `@`.
    /// - Returns: `nil` if both are empty, are no UTF-8, or can't be sent.
    package init?(userinfo: some Sequence<UInt8>) {
        let parts = Array(userinfo).split(separator: 0x3A, maxSplits: 1, omittingEmptySubsequences: false)
        let texts = parts.compactMap { PercentEncoding.text(PercentEncoding.decoded($0)) }
        guard texts.count == parts.count, let user = texts.first, !texts.joined().isEmpty
        else { return nil }
        self.init(user: user, password: texts.dropFirst().first ?? "")
    }

    /// The value of `Authorization`. In UTF-8, which is what `charset` may ask for (RFC 7617 §2.1); without it the
    /// encoding is the sender's choice.
    package var fieldValue: String { "Basic " + Data("\(user):\(password)".utf8).base64EncodedString() }
}

extension BasicCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "credentials" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The user name and the password in the text of a URL.
package enum URLUserinfo {
    /// The URL without them, and they themselves, still encoded; `nil` where there is no `@`.
    ///
    /// - Parameter url: Absolute, as a web view prints it: the authority ends at `/`, `?` or `#`.
    package static func split(_ url: String) -> (url: String, userinfo: Substring?) {
        guard let colon = url.utf8.firstIndex(of: 0x3A), url[colon...].hasPrefix("://") else { return (url, nil) }
        let start = url.utf8.index(colon, offsetBy: 3)
        let end = url.utf8[start...].firstIndex { [0x2F, 0x3F, 0x23, 0x5C].contains($0) } ?? url.endIndex
        guard let at = url.utf8[start..<end].lastIndex(of: 0x40) else { return (url, nil) }
        return (String(url[..<start]) + url[url.utf8.index(after: at)...], url[start..<at])
    }

    /// The URL without user name and password.
    package static func removed(from url: String) -> String { split(url).url }
}
