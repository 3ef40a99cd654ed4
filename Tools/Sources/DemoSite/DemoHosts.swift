/// The two hosts of the sample site: the shop, and the CDN that serves its assets.
package struct DemoHosts: Hashable, Sendable {
    /// Name of the host of pages, API and uploads.
    package var shop: String
    /// Name of the host of hashed assets, pictures and film.
    package var cdn: String
    /// `https`, or `http` in tests.
    package var scheme: String
    /// The port in every absolute URL; `nil` is the scheme's own.
    package var port: Int?
    /// Whether every asset is named by its whole address, also where page and assets have one host, as sites do whose
    /// addresses come from a setting. What scripts import stays relative, as bundlers write it.
    package var namesOrigin = false

    /// Names the hosts.
    ///
    /// - Parameters:
    ///   - shop: Defaults to `shop.test`; `.test` never resolves on the Internet (RFC 6761 §6.2).
    ///   - cdn: Defaults to `cdn.shop-assets.test`, another site than the shop, as a CDN usually is.
    ///   - scheme: Defaults to `https`.
    ///   - port: Defaults to the scheme's own port.
    package init(
        shop: String = "shop.test", cdn: String = "cdn.shop-assets.test", scheme: String = "https", port: Int? = nil
    ) {
        self.shop = shop
        self.cdn = cdn
        self.scheme = scheme
        self.port = port
    }

    /// The prefix of an asset's path in the shop's pages: as a rule empty where both are one host.
    var assets: String { shop == cdn && !namesOrigin ? "" : origin(of: cdn) }

    /// The origin of one of the hosts as a page writes it, such as `https://shop.test`.
    package func origin(of host: String) -> String {
        port.map { "\(scheme)://\(host):\($0)" } ?? "\(scheme)://\(host)"
    }
}
