#if Proxy
import NIOCore

/// The bytes of an IP address, as certificates carry them (RFC 5280 §4.2.1.6).
package enum IPAddressBytes {
    /// - Returns: 4 or 16 bytes; `nil` when the text is no address.
    package static func parse(_ text: String) -> [UInt8]? {
        (try? SocketAddress(ipAddress: text, port: 0)).flatMap(bytes)
    }

    /// The usual spelling of 4 or 16 bytes, RFC 5952 for the latter; `nil` for any other number of them.
    static func text(_ bytes: [UInt8]) -> String? {
        (try? SocketAddress(packedIPAddress: ByteBuffer(bytes: bytes), port: 0))?.ipAddress
    }

    private static func bytes(_ address: SocketAddress) -> [UInt8]? {
        switch address {
        case .v4(let v4): withUnsafeBytes(of: v4.address.sin_addr) { Array($0) }
        case .v6(let v6): withUnsafeBytes(of: v6.address.sin6_addr) { Array($0) }
        case .unixDomainSocket: nil
        }
    }

    /// Whether a text is an address of loopback, RFC 1122 §3.2.1.3 and RFC 4291 §2.5.3.
    package static func isLoopback(_ text: String) -> Bool {
        guard let bytes = parse(text) else { return false }
        return bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }

    /// Whether two addresses are the same port of the same host; an IPv4 address may be mapped to IPv6 (RFC 4291
    /// §2.5.5.2).
    package static func areSame(_ one: SocketAddress?, _ other: SocketAddress?) -> Bool {
        guard let one, let other, one.port == other.port, let first = bytes(one), let second = bytes(other) else {
            return false
        }
        let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
        return first == second || first == mapped + second || mapped + first == second
    }
}
#endif
