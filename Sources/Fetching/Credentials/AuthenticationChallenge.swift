import HTTPTypes

/// One challenge of `WWW-Authenticate`, RFC 9110 §11.6.1.
package struct AuthenticationChallenge: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        case none
        case token68(String)
        /// Values by name, in lower case; quoted strings without their quotes.
        case parameters([String: String])
    }

    /// In lower case.
    package var scheme: String
    package var content: Content

    /// More challenges of one response are not read.
    package static let greatestCount = 32
    /// A longer line is not read. In octets.
    package static let greatestLength = 16_384

    package init(scheme: String, content: Content) {
        self.scheme = scheme
        self.content = content
    }

    /// The challenges of a response, in their order.
    ///
    /// A line that breaks the grammar says nothing, and hides no other line. A challenge that names a parameter twice
    /// (§11.2: "MUST only occur once per challenge") says nothing either.
    package static func read(_ fields: HTTPFields) -> [AuthenticationChallenge] {
        var found: [AuthenticationChallenge] = []
        for line in fields[values: .wwwAuthenticate] where found.count < greatestCount {
            var reader = ChallengeReader(line, limit: greatestCount - found.count)
            found += reader.read() ?? []
        }
        return found
    }

    /// The realm of the first challenge of the scheme Basic that can be answered (RFC 7617 §2); `nil` without one.
    /// Other schemes, such as Digest, Negotiate and Bearer, are not answered.
    package static func basicRealm(_ fields: HTTPFields) -> String? {
        for case .parameters(let parameters) in read(fields).filter({ $0.scheme == "basic" }).map(\.content) {
            if let realm = parameters["realm"] { return realm }
        }
        return nil
    }
}
