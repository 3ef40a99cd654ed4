#if Proxy
import NIOCore

/// The bytes of an IP address, as certificates carry them (RFC 5280 §4.2.1.6).
enum IPAddressBytes {
    /// - Returns: 4 or 16 bytes; `nil` when the text is no address.
    static func parse(_ text: String) -> [UInt8]? {
        guard let address = try? SocketAddress(ipAddress: text, port: 0) else { return nil }
        switch address {
        case .v4(let v4):
            return withUnsafeBytes(of: v4.address.sin_addr) { Array($0) }
        case .v6(let v6):
            return withUnsafeBytes(of: v6.address.sin6_addr) { Array($0) }
        default: return nil
        }
    }
}
#endif
