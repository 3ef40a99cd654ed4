/// How a web view's requests reach Larder. The raw value is what `--through` takes.
package enum InterceptionMode: String, Hashable, Sendable, Codable, CaseIterable {
    /// Through a proxy on loopback.
    case proxy
    /// Through a scheme handler for `app-cache-https`, at which the page itself is opened.
    case appScheme
    /// Through a scheme handler for `https` and `http` themselves. Only test hosts have it: WebKitGTK offers no way to it.
    case httpsScheme
    /// Not at all: the web view asks origins itself.
    case none
}
