/// How a stored response is validated with the origin (RFC 9111 §4.3).
public enum ValidationMethod: String, Hashable, Sendable, CaseIterable {
    /// By GET with the stored validators (§4.3.1): one request in any case.
    case get

    /// First by HEAD with the stored validators, for origins whose GET ignores them and always sends the whole
    /// response.
    ///
    /// - After a 304, or a 200 with the same validators (§4.3.5; see `HeadFreshening.confirms(_:storedLength:head:)`),
    ///   the stored response answers, also one with `no-cache`.
    /// - Any other 200 is followed by a GET without conditions, whose response is stored.
    /// - Any other status, such as 405 or 501, is followed by a GET with the validators, as under ``get``.
    ///
    /// So a changed response costs one more round trip, and a time-out of ``Verdict/networkFirst(timeout:)`` applies to
    /// each of the two. It applies to GET and to complete responses with the status 200 and a validator; all others are
    /// validated as under ``get``. After three HEADs in a row that saved no GET, a host gets only GETs for an hour, and
    /// then one more HEAD.
    case head
}
