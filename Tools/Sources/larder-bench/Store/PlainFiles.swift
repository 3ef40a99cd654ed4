import Foundation

/// One file a response, head and body in it, 256 folders.
final class PlainFiles: StorePeer {
    let name = "plain files"
    let limit = Int.max
    private let folder: String

    init(in folder: String) throws {
        self.folder = folder + "/files"
        for number in 0..<256 {
            try FileManager.default.createDirectory(
                atPath: "\(self.folder)/\(number)", withIntermediateDirectories: true)
        }
    }

    private func path(_ number: Int) -> String { "\(folder)/\(number % 256)/\(number)" }

    func fill(_ numbers: Range<Int>) throws {
        for number in numbers { try write(BenchResponses.head + BenchResponses.body(number), to: path(number)) }
    }

    func read(_ number: Int) throws -> Int? {
        let file = open(path(number), O_RDONLY)
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { return nil }
        return [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
            count = max(0, pread(file, buffer.baseAddress, buffer.count, 0))
        }.count
    }

    func store(_ lengths: [Int]) throws {
        for (number, length) in lengths.enumerated() {
            try write(
                BenchResponses.head + BenchResponses.body(number, length), to: "\(folder)/\(number % 256)/new\(number)")
        }
        sync()
    }

    private func write(_ bytes: [UInt8], to path: String) throws {
        let file = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0o600)
        defer { close(file) }
        guard bytes.withUnsafeBytes({ Foundation.write(file, $0.baseAddress, $0.count) }) == bytes.count else {
            throw PeerError(description: "'\(path)' could not be written")
        }
    }
}
