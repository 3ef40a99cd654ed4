#if Proxy
/// A host map entry that can't be read.
package struct HostMapError: Error, Hashable, Sendable, CustomStringConvertible {
    package var entry: String

    package var description: String {
        "'\(entry)' is no host map entry; write host:port:address, for example shop.test:443:127.0.0.1:8443."
    }
}
#endif
