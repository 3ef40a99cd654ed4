import Foundation
import ManifestBuilding

/// Contents on the disk until what stands before them is known; removed with the last reference.
final class PartFile {
    private let path: String
    private let handle: FileHandle
    private static let pieceLength = 1 << 20

    /// - Parameter path: The path of the file that it becomes a part of.
    init(beside path: String) throws(ManifestToolError) {
        self.path = path + ".part"
        handle = try Self.create(self.path)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func append(_ bytes: [UInt8]) throws(ManifestToolError) { try Self.write(bytes, handle, path) }

    /// Writes a file that begins with these octets and goes on with what was appended.
    func finish(_ beginning: [UInt8], as final: String) throws(ManifestToolError) {
        let whole = final + ".new"
        defer { try? FileManager.default.removeItem(atPath: whole) }
        let out = try Self.create(whole)
        try Self.write(beginning, out, whole)
        do {
            let reader = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            while let data = try reader.read(upToCount: Self.pieceLength), !data.isEmpty {
                try out.write(contentsOf: data)
            }
            try out.close()
        } catch {
            throw Self.failure(whole)
        }
        guard rename(whole, final) == 0 else { throw Self.failure(final) }
    }

    private static func create(_ path: String) throws(ManifestToolError) -> FileHandle {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw failure(path) }
        return handle
    }

    private static func write(_ bytes: [UInt8], _ handle: FileHandle, _ path: String) throws(ManifestToolError) {
        do { try handle.write(contentsOf: Data(bytes)) } catch { throw failure(path) }
    }

    private static func failure(_ path: String) -> ManifestToolError {
        ManifestToolError("'\(path)' can't be written; check the folder's permissions and the free space.")
    }
}
