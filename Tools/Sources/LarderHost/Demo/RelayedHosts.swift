import CacheEngine
import DemoSite
import HTTPCacheSemantics
import OriginDialing

/// Entries of a `HostMap` by which the page's host, and every host that was mapped by hand, is reached over one slow
/// line.
struct RelayedHosts: Sendable {
    let relay: ShapedRelay
    let hostMap: [String]

    /// Starts a relay.
    ///
    /// - Parameters:
    ///   - url: The page.
    ///   - entries: See `HostMap`.
    /// - Throws: `DialerError`, `DemoSiteError`, or ``HostError`` where the page is no http or https URL.
    static func start(for url: String, entries: [String], shaping: Shaping) async throws -> RelayedHosts {
        guard let parts = TargetURI.split(url), parts.scheme == "http" || parts.scheme == "https",
            let page = OriginDialer.Endpoint(authority: parts.authority, isSecure: parts.scheme == "https")
        else {
            throw HostError(
                code: .badUse, message: "'\(url)' is no http or https URL, such as https://example.com/.")
        }
        let direct = try HostMap(entries)
        let endpoints = [page] + entries.compactMap { OriginDialer.Endpoint(mapEntry: $0) }
        let relay = ShapedRelay(shaping: shaping)
        var map: [String: String] = [:]
        for endpoint in Dictionary(endpoints.map { ($0.description, $0) }, uniquingKeysWith: { $1 }).values {
            let target = direct.target(host: endpoint.host, port: endpoint.port)
            let port = try await relay.listen(toHost: target.address, port: target.port)
            let name = "\(endpoint.host):\(endpoint.port)"
            map[name] = "\(name):127.0.0.1:\(port)"
        }
        return RelayedHosts(relay: relay, hostMap: map.values.sorted())
    }

    /// The traffic carried since the last call.
    func takeSighting() -> OriginSighting {
        let traffic = relay.takeTraffic()
        return OriginSighting(connections: traffic.connections, bytes: traffic.bytesDown, requests: nil)
    }
}

extension SimulatedNetwork {
    /// As a relay imitates it.
    var line: (shaping: Shaping, fault: LineFault?) {
        switch self {
        case .direct: (.none, nil)
        case .fourG: (.fourG, nil)
        case .slow3G: (.slow3G, nil)
        case .silent: (.none, .silent)
        case .trickling: (.none, .trickling)
        case .closing: (.none, .closing)
        case .lossy: (.none, .lossy)
        }
    }
}

extension OriginDialer.Endpoint {
    /// The `host:port` that a host map's entry begins with. `isSecure` is not known of it and says nothing.
    fileprivate init?(mapEntry: String) {
        let parts = mapEntry.split(separator: ":", maxSplits: 2)
        guard parts.count == 3 else { return nil }
        self.init(authority: parts[0] + ":" + parts[1], isSecure: false)
    }
}
