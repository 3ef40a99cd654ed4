import HTTPTypes

/// A body that may be followed by a trailer section, RFC 9110 §6.5.
///
/// A body that passes on another's bytes may pass on its trailers or drop them: "A recipient that removes the chunked
/// coding from a message MAY selectively retain or discard the received trailer fields" (RFC 9112 §7.1.2). They are
/// never merged into the header fields, and not stored (RFC 9111 §3.1 lets a cache discard them).
public protocol TrailerSource: BodySource {
    /// The fields, without those that must not be in a trailer section. Known once ``BodySource/next()`` has returned
    /// `nil`; `nil` before that, and when there are none.
    var trailers: HTTPFields? { get }
}
