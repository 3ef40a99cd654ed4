import HTTPCacheSemantics
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

/// Reads one line of `WWW-Authenticate`, octet by octet: RFC 9110 §11.6.1 and Appendix A.
///
///     WWW-Authenticate = [ challenge *( OWS "," OWS challenge ) ]
///     challenge        = auth-scheme [ 1*SP ( token68 / [ auth-param *( OWS "," OWS auth-param ) ] ) ]
///     auth-param       = token BWS "=" BWS ( token / quoted-string )
///
/// Commas stand between challenges and between parameters alike: what follows one is a parameter where a token and `=`
/// stand there. Empty elements are passed over (§5.6.1.2).
struct ChallengeReader {
    private struct Malformed: Error {}

    private var scanner: ByteScanner
    private let limit: Int

    init(_ line: String, limit: Int) {
        scanner = ByteScanner(line.utf8.count <= AuthenticationChallenge.greatestLength ? line : "=")
        self.limit = limit
    }

    /// - Returns: At most the first challenges up to the limit; what follows them is not looked at. `nil` if the line
    ///   breaks the grammar.
    mutating func read() -> [AuthenticationChallenge]? {
        var found: [AuthenticationChallenge] = []
        do throws(Malformed) {
            skipCommas()
            while !scanner.isAtEnd {
                guard found.count < limit else { return found }
                if let challenge = try challenge() { found.append(challenge) }
                guard Self.isEnd(scanner) else { throw Malformed() }
                skipCommas()
            }
        } catch {
            return nil
        }
        return found
    }

    /// - Returns: `nil` for a challenge that names a parameter twice.
    private mutating func challenge() throws(Malformed) -> AuthenticationChallenge? {
        let scheme = FetchText.lowercased(try token())
        guard scanner.peek == 0x20 else { return AuthenticationChallenge(scheme: scheme, content: .none) }
        scanner.skipWhitespace()
        if let token68 = token68() { return AuthenticationChallenge(scheme: scheme, content: .token68(token68)) }
        var (parameters, isTwice) = ([String: String](), false)
        while let name = nextParameter() {
            let value = try self.value()
            isTwice = parameters.updateValue(value, forKey: name) != nil || isTwice
        }
        guard !isTwice else { return nil }
        return AuthenticationChallenge(
            scheme: scheme, content: parameters.isEmpty ? .none : .parameters(parameters))
    }

    /// Where nothing but it stands up to the next comma.
    private mutating func token68() -> String? {
        var ahead = scanner
        let text = ahead.text { Self.isToken68($0) }
        let padding = ahead.text { $0 == 0x3D }
        guard !text.isEmpty, Self.isEnd(ahead) else { return nil }
        scanner = ahead
        return text + padding
    }

    /// The name of a parameter that stands here, or behind commas; then the reader is behind its `=`. Else it has not
    /// moved.
    private mutating func nextParameter() -> String? {
        let start = scanner
        skipCommas()
        if let name = scanner.token() {
            scanner.skipWhitespace()
            if scanner.take("=") {
                scanner.skipWhitespace()
                return FetchText.lowercased(name)
            }
        }
        scanner = start
        return nil
    }

    private mutating func value() throws(Malformed) -> String {
        let value = scanner.peek == 0x22 ? scanner.quotedString() : scanner.token()
        // HTAB / SP / VCHAR / obs-text, RFC 9110 §5.6.4.
        guard let value, value.utf8.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }), Self.isEnd(scanner)
        else { throw Malformed() }
        return value
    }

    /// Behind a value stands a comma, or nothing.
    private static func isEnd(_ scanner: ByteScanner) -> Bool {
        var ahead = scanner
        ahead.skipWhitespace()
        return ahead.isAtEnd || ahead.peek == 0x2C
    }

    private mutating func token() throws(Malformed) -> String {
        guard let token = scanner.token() else { throw Malformed() }
        return token
    }

    private mutating func skipCommas() { _ = scanner.text { [0x20, 0x09, 0x2C].contains($0) } }

    private static func isToken68(_ octet: UInt8) -> Bool {
        ByteScanner.isDigit(octet) || ByteScanner.isLetter(octet) || "-._~+/".utf8.contains(octet)
    }
}
