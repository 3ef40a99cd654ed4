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

    private let octets: [UInt8]
    private let limit: Int
    private var place = 0

    init(_ line: String, limit: Int) {
        octets = line.utf8.count <= AuthenticationChallenge.greatestLength ? Array(line.utf8) : [0]
        self.limit = limit
    }

    /// - Returns: At most the first challenges up to the limit; what follows them is not looked at. `nil` if the line breaks
    ///   the grammar.
    mutating func read() -> [AuthenticationChallenge]? {
        var found: [AuthenticationChallenge] = []
        do {
            skipCommas()
            while place < octets.count {
                guard found.count < limit else { return found }
                if let challenge = try challenge() { found.append(challenge) }
                skipSpace()
                guard place == octets.count || octets[place] == 0x2C else { throw Malformed() }
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
        guard place < octets.count, octets[place] == 0x20 else {
            return AuthenticationChallenge(scheme: scheme, content: .none)
        }
        skipSpace()
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
        var end = place
        while end < octets.count, Self.isToken68(octets[end]) { end += 1 }
        guard end > place else { return nil }
        while end < octets.count, octets[end] == 0x3D { end += 1 }
        var next = end
        while next < octets.count, Self.isSpace(octets[next]) { next += 1 }
        guard next == octets.count || octets[next] == 0x2C else { return nil }
        defer { place = end }
        return String(decoding: octets[place..<end], as: UTF8.self)
    }

    /// The name of a parameter that stands here, or behind commas; then the reader is behind its `=`. Else it has not moved.
    private mutating func nextParameter() -> String? {
        let start = place
        skipCommas()
        if let name = try? token() {
            skipSpace()
            if place < octets.count, octets[place] == 0x3D {
                place += 1
                skipSpace()
                return FetchText.lowercased(name)
            }
        }
        place = start
        return nil
    }

    private mutating func value() throws(Malformed) -> String {
        guard place < octets.count, octets[place] == 0x22 else {
            let text = try token()
            return try ended(text)
        }
        place += 1
        var text: [UInt8] = []
        while place < octets.count {
            let octet = octets[place]
            place += 1
            switch octet {
            case 0x22: return try ended(String(decoding: text, as: UTF8.self))
            case 0x5C:
                guard place < octets.count, Self.isQuotable(octets[place]) else { throw Malformed() }
                text.append(octets[place])
                place += 1
            default:
                guard Self.isQuotable(octet) else { throw Malformed() }
                text.append(octet)
            }
        }
        throw Malformed()
    }

    /// Behind a value stands a comma, or nothing.
    private func ended(_ value: String) throws(Malformed) -> String {
        var next = place
        while next < octets.count, Self.isSpace(octets[next]) { next += 1 }
        guard next == octets.count || octets[next] == 0x2C else { throw Malformed() }
        return value
    }

    private mutating func token() throws(Malformed) -> String {
        let start = place
        while place < octets.count, Self.isToken(octets[place]) { place += 1 }
        guard place > start else { throw Malformed() }
        return String(decoding: octets[start..<place], as: UTF8.self)
    }

    private mutating func skipSpace() {
        while place < octets.count, Self.isSpace(octets[place]) { place += 1 }
    }

    private mutating func skipCommas() {
        while place < octets.count, Self.isSpace(octets[place]) || octets[place] == 0x2C { place += 1 }
    }

    private static func isSpace(_ octet: UInt8) -> Bool { octet == 0x20 || octet == 0x09 }

    private static func isLetterOrDigit(_ octet: UInt8) -> Bool {
        (0x30...0x39).contains(octet) || (0x41...0x5A).contains(octet) || (0x61...0x7A).contains(octet)
    }

    /// `tchar`, RFC 9110 §5.6.2.
    private static func isToken(_ octet: UInt8) -> Bool {
        isLetterOrDigit(octet)
            || [0x21, 0x23, 0x24, 0x25, 0x26, 0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E].contains(
                octet)
    }

    private static func isToken68(_ octet: UInt8) -> Bool {
        isLetterOrDigit(octet) || [0x2D, 0x2E, 0x5F, 0x7E, 0x2B, 0x2F].contains(octet)
    }

    /// HTAB / SP / VCHAR / obs-text, RFC 9110 §5.6.4.
    private static func isQuotable(_ octet: UInt8) -> Bool { octet == 0x09 || (octet >= 0x20 && octet != 0x7F) }
}
