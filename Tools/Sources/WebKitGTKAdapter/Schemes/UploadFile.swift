import Foundation
import Interception
import Locking

/// Content that waits in a temporary file without a name, so that it goes when the process ends, however that happens.
final class UploadFile: UploadSpace {
    private let file: LockedBox<FileHandle>

    init() throws {
        var path = Array(NSTemporaryDirectory().appending("/larder-upload-XXXXXX").utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        unlink(path)
        file = LockedBox(FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
    }

    func append(_ bytes: [UInt8]) throws {
        try file.withLock { file in
            try file.seekToEnd()
            try file.write(contentsOf: bytes)
        }
    }

    func read(at offset: Int64, count: Int) throws -> [UInt8] {
        try file.withLock { file in
            try file.seek(toOffset: UInt64(clamping: offset))
            return try file.read(upToCount: count).map { Array($0) } ?? []
        }
    }
}
