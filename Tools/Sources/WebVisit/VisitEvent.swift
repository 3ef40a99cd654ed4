/// A line from the web-view process to the tool.
///
/// Each line is an object with one member, named after the case:
///
///     {"trusted": {"id": 1}}
///     {"finished": {"_0": {"requestedURL": "https://shop.test/", …}}}
///     {"cleared": {}}
///     {"failed": {"_0": {"code": "noDisplay", "message": "…"}}}
///     {"ready": {}}
///     {"stepped": {"_0": {"id": 1, "seen": {…}, …}}}
///     {"exchange": {"_0": {"url": "https://shop.test/", "outcome": "hit", …}}}
///     {"notice": {"_0": {"external": {"url": "tel:+4912345", "isNewWindow": false}}}}
///
/// `finished`, `cleared` or `failed` is the last line, and the process then ends with status 0 or 1. So does a session
/// when its commands end. A process that ends otherwise without any has crashed.
package enum VisitEvent: Hashable, Sendable, Codable {
    /// A certificate is accepted from now on, in the process that opens connections too.
    case trusted(id: Int)
    /// The visit has a result; a page that did not load is one.
    case finished(VisitResult)
    /// The data to be removed is gone.
    case cleared
    /// The session takes steps.
    case ready
    /// A step has ended; a page that did not load is a result.
    case stepped(SessionResult)
    /// The cache has answered a request, or given up.
    case exchange(ExchangeLine)
    case notice(SessionNotice)
    /// There was no visit, or nothing was removed, and why.
    case failed(VisitFailure)
}
