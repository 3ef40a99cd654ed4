import CacheTesting
import Foundation
import GRDB
import Testing

@testable import ResponseStore

@Suite("A write that fails says what helps")
struct WriteFailureTests {
    @Test(
        "by its cause",
        arguments: [
            (FileSystemError(call: "write", number: ENOSPC), "the disk is full: free some space"),
            (FileSystemError(call: "write", number: EDQUOT), "the disk is full: free some space"),
            (DatabaseError(resultCode: .SQLITE_FULL), "the disk is full: free some space"),
            (DatabaseError(resultCode: .SQLITE_BUSY), "another process keeps the store's index locked: end it"),
            (FileSystemError(call: "open", number: EACCES), "the store directory can't be written: permit it"),
            (FileSystemError(call: "open", number: EROFS), "the store directory can't be written: permit it"),
            (DatabaseError(resultCode: .SQLITE_READONLY_DBMOVED), "the store directory can't be written: permit it"),
            (FileSystemError(call: "fsync", number: EIO), "the disk may be full or failing: free some space"),
            (DatabaseError(resultCode: .SQLITE_IOERR_WRITE), "the disk may be full or failing: free some space"),
        ] as [(any Error, String)])
    func help(cause: any Error, help: String) {
        let error = StoreError.unwritten("A response could not be stored", because: cause)
        #expect(error.code == .writeFailed && error.message.hasPrefix("A response could not be stored; \(help)"))
        #expect(error.description.contains("\(cause)"))
    }

    @Test("a body on a full disk, when it leaves memory")
    func body() throws {
        let folder = try TemporaryDirectory()
        let body = PendingDiskBody(
            path: folder.path + "/body", fileSystem: FullDisk(), space: IncomingSpace(StoreBudget()), memoryLimit: 4)
        try body.append([1, 2, 3])
        let error = #expect(throws: StoreError.self) { try body.append([4, 5]) }
        #expect(error?.code == .writeFailed && error?.message.contains("the disk is full") == true)
        #expect(throws: StoreError.self) { try body.append([6]) }
    }

    private struct FullDisk: ForwardingFileSystem {
        let disk = LocalFileSystem()
        func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int64) throws(FileSystemError) {
            throw FileSystemError(call: "write", number: ENOSPC)
        }
    }
}
