// Seen in the whole module rather than imported by its files: AppleStubs compiles those with the stand-in. On Linux it
// brings FoundationNetworking, where URLProtocol is.
@_exported import URLSessionTransport
