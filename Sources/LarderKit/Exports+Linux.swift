#if canImport(FoundationNetworking)
// Where URLRequest and HTTPURLResponse are on Linux.
@_exported import FoundationNetworking
#endif
