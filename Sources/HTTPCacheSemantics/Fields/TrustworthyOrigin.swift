/// Potentially trustworthy origins, W3C Secure Contexts §3.1.
package enum TrustworthyOrigin {
    /// "Is origin potentially trustworthy?" for the origin of an absolute URI.
    ///
    /// `https` and `wss` are trustworthy, and in other schemes the loopback addresses and the names `localhost` and
    /// `*.localhost`, with or without a final dot. Addresses must be in the canonical spelling of the URL standard:
    /// `127.` and three more decimal numbers, or `[::1]`. `file` and an app's own schemes are not trustworthy.
    package static func isPotentiallyTrustworthy(origin uri: String) -> Bool {
        guard let parts = TargetURI.split(uri) else { return false }
        if parts.scheme == "https" || parts.scheme == "wss" { return true }
        let host = host(of: parts.authority)
        if host == "[::1]" || isLoopback(host) { return true }
        let name = host.hasSuffix(".") ? host.dropLast() : host[...]
        return name == "localhost" || name.hasSuffix(".localhost")
    }

    /// Without the port, in lower case.
    private static func host(of authority: String) -> String {
        let bytes = authority.utf8
        // An IPv6 address has colons of its own, inside its brackets.
        let rest = bytes[(bytes.lastIndex(of: 0x5D) ?? bytes.startIndex)...]
        return String(Substring(bytes[..<(rest.firstIndex(of: 0x3A) ?? rest.endIndex)])).lowercased()
    }

    /// 127.0.0.0/8.
    private static func isLoopback(_ host: String) -> Bool {
        let numbers = host.utf8.split(separator: 0x2E, omittingEmptySubsequences: false)
        guard numbers.count == 4, numbers[0].elementsEqual("127".utf8) else { return false }
        return numbers.dropFirst().allSatisfy { number in
            number.allSatisfy(ByteScanner.isDigit) && UInt8(String(Substring(number))) != nil
                && (number.count == 1 || number.first != 0x30)
        }
    }
}
