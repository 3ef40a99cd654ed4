/// What a web view calls one load by, as long as that load lasts.
package struct SchemeTaskID: Hashable, Sendable {
    private let address: UInt

    /// - Parameter object: The web view's own object, such as a `WKURLSchemeTask`. The adapter has to keep it alive
    ///   until the load ends, so that no other object gets its address.
    package init(_ object: AnyObject) {
        address = UInt(bitPattern: ObjectIdentifier(object))
    }

    /// - Parameter address: The address of a C object, such as a `WebKitURISchemeRequest`.
    package init(address: UInt) {
        self.address = address
    }
}
