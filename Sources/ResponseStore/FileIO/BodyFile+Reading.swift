import HTTPCacheSemantics

extension BodyFile {
    /// Opens a regular file that is none of a store's, without checksums. Its length is the one that it has now.
    ///
    /// - Throws: ``StoreError/Code/readFailed``.
    package convenience init(reading path: String) throws {
        let fileSystem = LocalFileSystem()
        do {
            let descriptor = SystemCalls.open(path, SystemCalls.readOnlyAtOnce)
            guard descriptor >= 0 else { throw FileSystemError(call: "open", number: SystemCalls.errorNumber) }
            guard SystemCalls.isRegular(descriptor) else {
                fileSystem.close(descriptor)
                throw StoreError(code: .readFailed, message: "It is a pipe, a device or a folder, and no file.")
            }
            let size: Int64
            do {
                size = try fileSystem.size(descriptor)
            } catch {
                fileSystem.close(descriptor)
                throw error
            }
            self.init(descriptor: descriptor, length: ByteCount(size), fileSystem: fileSystem)
        } catch {
            throw StoreError(code: .readFailed, message: "The file can't be opened.", cause: error)
        }
    }
}
