import HTTPCacheSemantics

extension BodyFile {
    /// Opens a file that is none of a store's, without checksums. Its length is the one that it has now.
    ///
    /// - Throws: ``StoreError/Code/readFailed``.
    package convenience init(reading path: String) throws {
        let fileSystem = LocalFileSystem()
        do {
            let descriptor = try fileSystem.open(path, .reading)
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
