#if Proxy
import CacheEngine

/// A connection ended before a byte of the response came, so the origin may never have seen the request.
struct GoneBeforeResponse: Error {
    /// What it is when the request is not sent again.
    var failure: TransportError
}
#endif
