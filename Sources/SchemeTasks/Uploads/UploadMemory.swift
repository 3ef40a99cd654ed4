import Locking

/// Limits the memory of a web view's uploads, all together: a page can begin a thousand.
final class UploadMemory: Sendable {
    /// A share of it, given back when nobody holds this any more.
    final class Share: Sendable {
        private let memory: UploadMemory
        private let bytes: Int64

        fileprivate init(_ memory: UploadMemory, _ bytes: Int64) {
            (self.memory, self.bytes) = (memory, bytes)
        }

        deinit { memory.left.withLock { $0 += bytes } }
    }

    private let left: LockedBox<Int64>

    /// - Parameter bytes: How much there is.
    init(_ bytes: Int64) { left = LockedBox(bytes) }

    /// - Returns: `nil` where there is not enough.
    func share(_ bytes: Int64) -> Share? {
        let isThere = left.withLock { left -> Bool in
            guard bytes >= 0, bytes <= left else { return false }
            left -= bytes
            return true
        }
        return isThere ? Share(self, bytes) : nil
    }
}

/// Where the content of a long form waits until all of it is there, such as a temporary file without a name.
///
/// The space is freed with the last reference. It is called from any thread, by one caller at a time while it is
/// written.
package protocol UploadSpace: Sendable {
    /// - Throws: Where there is no more room; the form is refused then.
    func append(_ bytes: [UInt8]) throws

    /// - Parameters:
    ///   - offset: In bytes, from the beginning.
    ///   - count: In bytes; so many have been appended behind `offset`.
    func read(at offset: Int64, count: Int) throws -> [UInt8]
}
