#if canImport(Network)
// The network of an app that names none.
@_exported import URLSessionTransport
#endif
