#if Proxy
/// Names that are connected to elsewhere than DNS says, as curl's `--resolve` and `--connect-to` do.
///
/// Only the connection changes: `Host`, TLS server name and certificate checks stay those of the name.
package struct HostMap: Hashable, Sendable {
    /// Where to connect instead.
    package struct Target: Hashable, Sendable {
        package var address: String
        package var port: Int

        package init(address: String, port: Int) {
            self.address = address
            self.port = port
        }
    }

    private var targets: [String: Target] = [:]

    package init() {}

    /// Reads entries `host:port:address` or `host:port:address:port`; an IPv6 address stands in brackets.
    ///
    /// - Throws: ``HostMapError`` naming the first entry that can't be read.
    package init(_ entries: [String]) throws {
        for entry in entries {
            let parts = entry.split(separator: ":", maxSplits: 2).map(String.init)
            guard parts.count == 3, let port = Int(parts[1]), (1...65_535).contains(port),
                let target = Self.target(parts[2], defaultPort: port)
            else { throw HostMapError(entry: entry) }
            set(target, for: parts[0], port: port)
        }
    }

    private static func target(_ text: String, defaultPort: Int) -> Target? {
        var address = Substring(text)
        var port = defaultPort
        if let close = text.lastIndex(of: "]"), text.hasPrefix("[") {
            address = text[text.index(after: text.startIndex)..<close]
            let rest = text[text.index(after: close)...]
            if !rest.isEmpty {
                guard rest.hasPrefix(":"), let number = Int(rest.dropFirst()) else { return nil }
                port = number
            }
        } else if let colon = text.firstIndex(of: ":") {
            guard let number = Int(text[text.index(after: colon)...]) else { return nil }
            address = text[..<colon]
            port = number
        }
        guard !address.isEmpty, (1...65_535).contains(port) else { return nil }
        return Target(address: String(address), port: port)
    }

    package mutating func set(_ target: Target, for host: String, port: Int) {
        targets["\(host.lowercased()):\(port)"] = target
    }

    /// Where a connection for this name goes: the entry's target, or the name itself. Names below `localhost` are
    /// loopback without being looked up, as in web views (RFC 6761 §6.3).
    package func target(host: String, port: Int) -> Target {
        let name = host.lowercased()
        if let target = targets["\(name):\(port)"] { return target }
        let isLocal = name.hasSuffix(".localhost") || name.hasSuffix(".localhost.")
        return Target(address: isLocal ? "localhost" : host, port: port)
    }
}

/// A host map entry that can't be read.
package struct HostMapError: Error, Hashable, Sendable, CustomStringConvertible {
    package var entry: String

    package var description: String {
        "'\(entry)' is no host map entry; write host:port:address, for example shop.test:443:127.0.0.1:8443."
    }
}
#endif
