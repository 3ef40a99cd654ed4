#if canImport(FoundationNetworking) && !canImport(Network)
// Where URLRequest and HTTPURLResponse are on Linux.
@_exported import FoundationNetworking
#endif
