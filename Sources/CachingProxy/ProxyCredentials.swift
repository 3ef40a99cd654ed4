#if Proxy
import Foundation

/// The user name and password that a forward proxy demands, RFC 7617 in `Proxy-Authorization`.
///
/// Any process of the machine can reach a loopback port; only those that know these credentials may use the proxy.
public struct ProxyCredentials: Hashable, Sendable {
    /// The user name.
    public var user: String
    /// The password.
    public var password: String

    /// Credentials of the app's choice.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    /// A new random password of 128 bits from the system's generator.
    public static func random() -> ProxyCredentials {
        var generator = SystemRandomNumberGenerator()
        let password = (0..<2).map { _ in
            let digits = String(generator.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        return ProxyCredentials(user: "larder", password: password.joined())
    }

    /// Whether a field value carries these credentials. Takes the same time wherever a difference is.
    func match(_ field: String?) -> Bool {
        guard let field, field.lowercased().hasPrefix("basic "),
            let data = Data(base64Encoded: field.dropFirst(6).trimmingCharacters(in: .whitespaces))
        else { return false }
        let expected = Array("\(user):\(password)".utf8)
        guard data.count == expected.count else { return false }
        return zip(data, expected).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
#endif
