/// Hosts within a machine or its own network, told by their names alone; nothing is looked up.
///
/// The special-purpose addresses of RFC 6890, and the names of RFC 6761 §6.3, RFC 6762 §3, RFC 8375 and ICANN's
/// `internal`. A name of the public DNS may have a private address as well, which this can't know.
package enum PrivateNetwork {
    /// Whether a URL's host is this machine: `localhost` and names below it, with or without a final dot, 127.0.0.0/8,
    /// `::1`.
    ///
    /// - Parameter host: In lower case, as browsers write it. Addresses count in the canonical spelling of the URL
    ///   standard alone: `127.` and three more decimal numbers, or `[::1]`.
    package static func isLoopback(host: String) -> Bool {
        if host == "[::1]" { return true }
        let name = host.hasSuffix(".") ? host.dropLast() : host[...]
        if name == "localhost" || name.hasSuffix(".localhost") { return true }
        let numbers = host.utf8.split(separator: 0x2E, omittingEmptySubsequences: false)
        guard numbers.count == 4, numbers[0].elementsEqual("127".utf8) else { return false }
        return numbers.dropFirst().allSatisfy { number in
            number.allSatisfy(ByteScanner.isDigit) && UInt8(String(Substring(number))) != nil
                && (number.count == 1 || number.first != 0x30)
        }
    }

    /// Whether a URL's host is this machine, or in its own network. An IPv6 address counts unless it is global unicast,
    /// 2000::/3 (RFC 4291 §2.4).
    ///
    /// - Parameter host: As in ``isLoopback(host:)``.
    package static func contains(host: String) -> Bool {
        if isLoopback(host: host) { return true }
        let host = host.hasSuffix(".") ? String(host.dropLast()) : host
        if host.utf8.first == 0x5B {
            let group = host.utf8.dropFirst().prefix { $0 != 0x3A }
            return group.count != 4 || (group.first != 0x32 && group.first != 0x33)
        }
        let labels = host.utf8.split(separator: 0x2E).map { String(Substring($0)) }
        let numbers = labels.compactMap(UInt8.init)
        if numbers.count == 4, labels.count == 4 { return isOfNetwork(numbers) }
        guard let last = labels.last else { return true }
        return labels.count == 1 || ["localhost", "local", "internal"].contains(last)
            || labels.suffix(2) == ["home", "arpa"]
    }

    private static func isOfNetwork(_ address: [UInt8]) -> Bool {
        switch (address[0], address[1]) {
        case (0, _), (10, _), (127, _), (169, 254), (172, 16...31), (192, 168), (100, 64...127): true
        case (192, 0), (198, 18...19), (224..., _): true
        default: false
        }
    }

    /// Whether what came from one URL may have another one asked for: into this machine or its network only what came
    /// from the same host, or from this machine for this machine.
    package static func mayLead(from source: String, to target: String) -> Bool {
        guard let host = host(target) else { return false }
        let other = self.host(source)
        return !contains(host: host) || host == other || isLoopback(host: host) && other.map(isLoopback) == true
    }

    private static func host(_ url: String) -> String? {
        guard let parts = TargetURI.resolve(url, against: url).flatMap({ TargetURI.split($0) }),
            let authority = Authority(parts.authority)
        else { return nil }
        return authority.host.utf8.contains(0x3A) ? "[\(authority.host)]" : authority.host
    }
}

/// Potentially trustworthy origins, W3C Secure Contexts §3.1.
package enum TrustworthyOrigin {
    /// "Is origin potentially trustworthy?" for the origin of an absolute URI.
    ///
    /// `https` and `wss` are trustworthy, and in other schemes the hosts of ``PrivateNetwork/isLoopback(host:)``.
    /// `file` and an app's own schemes are not trustworthy.
    package static func isPotentiallyTrustworthy(origin uri: String) -> Bool {
        guard let parts = TargetURI.split(uri) else { return false }
        return parts.scheme == "https" || parts.scheme == "wss"
            || PrivateNetwork.isLoopback(host: host(of: parts.authority))
    }

    /// Without the port, in lower case.
    package static func host(of authority: String) -> String {
        let bytes = authority.utf8
        // An IPv6 address has colons of its own, inside its brackets.
        let rest = bytes[(bytes.lastIndex(of: 0x5D) ?? bytes.startIndex)...]
        return String(Substring(bytes[..<(rest.firstIndex(of: 0x3A) ?? rest.endIndex)])).lowercased()
    }
}
