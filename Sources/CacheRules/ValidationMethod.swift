/// How the origin is asked about a stored response that has to be validated (RFC 9111 §4.3).
public enum ValidationMethod: String, Hashable, Sendable, CaseIterable {
    /// By GET with the stored validators (§4.3.1): one request, whatever the origin has.
    case get

    /// First by HEAD with the stored validators, for origins whose GET ignores them and sends the whole every time.
    ///
    /// - A 304, or a 200 with the same validators (§4.3.5; see `HeadFreshening.confirms(_:storedLength:head:)`), is
    ///   leave to use the store, also for a response with `no-cache`.
    /// - Any other 200 is followed by a GET without conditions, whose answer is stored.
    /// - Anything else, such as 405 or 501, is followed by a GET with the validators, as under ``get``.
    ///
    /// So a response that has changed costs one round trip more, and a time-out of ``Verdict/networkFirst(timeout:)``
    /// counts for each of the two. It holds for complete responses with the status 200
    /// that have a validator, and for GET; all others are validated as under ``get``. After three HEADs in a row that
    /// saved no GET, a host is asked by GET for an hour; then one HEAD tries again.
    case head
}
