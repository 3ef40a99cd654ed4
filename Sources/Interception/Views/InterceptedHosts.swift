/// For which hosts the proxy behind web views opens TLS, so that the store can answer. To all others it passes what it can't
/// read: their pages load as without Larder, and their passwords and cookies stay between the web view and the host.
///
/// A host is a name without scheme, port or path: `shop.example` is that name alone, `*.shop.example` every name below it and
/// not itself. Upper and lower case are the same. What is written otherwise names no host.
public enum InterceptedHosts: Hashable, Sendable {
    /// None: of pages in plain http alone the store answers anything.
    case none
    /// These alone, whatever they are. What an app should say that knows its sites: a host that is never named stays unread.
    case only([String])
    /// All but these, and but well-known hosts where people type a password or a card number
    /// (`InterceptPolicy.signInHosts`).
    case allExcept([String])
}
