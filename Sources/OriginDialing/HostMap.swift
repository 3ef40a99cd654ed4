#if Proxy
import HTTPCacheSemantics

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
    /// - Throws: ``DialerError`` naming the first entry that can't be read.
    package init(_ entries: [String]) throws {
        for entry in entries {
            let parts = entry.split(separator: ":", maxSplits: 2).map(String.init)
            guard parts.count == 3, let port = Int(parts[1]), (1...65_535).contains(port),
                let target = Authority(parts[2])
            else {
                throw DialerError(
                    description: "'\(entry)' is no host map entry; write host:port:address, for example "
                        + "shop.test:443:127.0.0.1:8443.")
            }
            set(Target(address: target.host, port: target.port ?? port), for: parts[0], port: port)
        }
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

/// Why a dialer can't be made as it was asked for, and the remedy.
package struct DialerError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
}
#endif
