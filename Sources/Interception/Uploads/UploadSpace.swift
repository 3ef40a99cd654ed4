/// Where the content of a long form waits until all of it is there, such as a temporary file without a name.
///
/// Its bytes are given back when nobody holds it any more. It is called from any thread, by one caller at a time while it
/// is written.
package protocol UploadSpace: Sendable {
    /// - Throws: Where there is no more room; the form is refused then.
    func append(_ bytes: [UInt8]) throws

    /// - Parameters:
    ///   - offset: In bytes, from the beginning.
    ///   - count: In bytes; so many have been appended behind `offset`.
    func read(at offset: Int64, count: Int) throws -> [UInt8]
}
