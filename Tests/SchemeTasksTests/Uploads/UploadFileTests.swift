import CacheTesting
import Foundation
import Testing

@testable import SchemeTasks

@Suite("The file of a long form")
struct UploadFileTests {
    @Test("what was appended is read, from any place, and the folder stays empty")
    func roundTrip() throws {
        let folder = try TemporaryDirectory()
        let file = try UploadFile(in: folder.path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        try file.append([1, 2, 3])
        try file.append([UInt8](repeating: 7, count: 100_000))
        try file.append([])
        #expect(try file.read(at: 0, count: 4) == [1, 2, 3, 7])
        #expect(try file.read(at: 2, count: 2) == [3, 7])
        #expect(try file.read(at: 3, count: 100_000) == [UInt8](repeating: 7, count: 100_000))
    }

    @Test("a file that can't be made, or is shorter than it should be, is an error")
    func failures() throws {
        let folder = try TemporaryDirectory()
        #expect(throws: UploadFile.Failure.self) { try UploadFile(in: folder.path + "/missing") }
        let file = try UploadFile(in: folder.path)
        try file.append([1])
        #expect(throws: UploadFile.Failure.self) { try file.read(at: 0, count: 2) }
    }
}
