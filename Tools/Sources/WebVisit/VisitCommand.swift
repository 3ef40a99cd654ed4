/// A line from the tool to the web-view process.
///
/// Each line is an object with one member, named after the case:
///
///     {"visit": {"_0": {"url": "https://shop.test/", "proxy": "http://127.0.0.1:4711", …}}}
///     {"trust": {"_0": {"id": 1, "host": "cdn.test", "certificatePEM": "-----BEGIN CERTIFICATE-----…"}}}
///     {"clear": {"_0": {"kinds": ["cookies", "localStorage"], "dataDirectory": "/home/me/web-data"}}}
///     {"session": {"_0": {"view": {"url": "about:blank", …}, "mode": "appScheme", "cache": {…}, …}}}
///     {"step": {"_0": {"id": 1, "step": {"open": {"url": "https://shop.test/"}}}}}
///     {"end": {}}
///
/// The first line is the visit, the session or the clearing, and there is only one. Steps follow a session. The end of
/// the input ends a session, and cancels what else there is.
package enum VisitCommand: Hashable, Sendable, Codable {
    /// Open a page.
    case visit(VisitRequest)
    /// Accept a certificate from now on.
    case trust(TrustRequest)
    /// Remove what a data directory holds, and open no page.
    case clear(WebsiteDataClearing)
    /// Keep a web view for many steps.
    case session(SessionRequest)
    /// Do this in the session.
    case step(SessionCommand)
    /// End the session when its steps have ended.
    case end
}
