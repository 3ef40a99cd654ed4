#if canImport(FoundationNetworking) && !canImport(Network)
// URLSession is there on Linux. Seen in the whole module, so that the other files are the same on every platform.
@_exported import FoundationNetworking
#endif
