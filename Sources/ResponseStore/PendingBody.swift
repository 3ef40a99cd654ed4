/// A body that is being received: one writer appends to it, and any number of readers read it meanwhile.
///
/// It is not visible in the store before ``ResponseStorage/commit(_:key:response:)``. If it is released without a
/// commit, it is removed.
package protocol PendingBody: Sendable {
    /// Appends bytes. After an error or a commit it accepts no more bytes, and those appended before stay readable.
    func append(_ bytes: [UInt8]) throws

    /// Appended bytes, from an offset; fewer than requested at the end, none at or after it.
    func read(from offset: Int64, upTo count: Int) throws -> [UInt8]
}
