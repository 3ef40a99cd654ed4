import CacheTesting
import HTTPCacheSemantics
import Locking
import NIOPosix
import Testing
import WireSupport

@testable import ResponseStore

/// Whoever reads from a disk waits for it; on an event loop a hundred other connections wait too.
@Suite("Reading stored bodies beside the event loops", .serialized, .timeLimit(.minutes(60)))
struct EventLoopReadsTests {
    @Test("no more than 64 KiB is read at a time on an event loop, however often a body is a hit")
    func bounded() async throws {
        let folder = try TemporaryDirectory()
        let disk = WatchedReads()
        let store = try DiskResponseStore(
            directory: folder.path, memoryBudget: ByteCount(1 << 20), budget: StoreBudget(), fileSystem: disk,
            durability: .process)
        let origin = try await WireOrigin.start(answer: "HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n")
        let bench = try await HitPathBench(origin, store: store, answersAtOnce: true)
        try await bench.fill()
        for number in 1...6 {
            let ask = "GET http://shop.test/large HTTP/1.1\r\nHost: shop.test\r\nConnection: close\r\n\r\n"
            let answer = try await bench.exchange(ask).answer
            #expect(answer.hasSuffix("\r\n\r\n" + Octets.text(HitPathBench.large)), "\(number)")
        }
        #expect(disk.longestOnLoop <= 65_536)
        // Otherwise nothing was read at all.
        #expect(disk.longest > 0)
        #expect(origin.received.isEmpty)
    }
}

/// A disk that knows how much was asked of it at once, and where.
private final class WatchedReads: FileSystem {
    private struct Longest: Sendable {
        var anywhere = 0
        var onLoop = 0
    }

    private let disk = LocalFileSystem(synchronizes: false)
    private let seen = LockedBox(Longest())

    var longest: Int { seen.withLock { $0.anywhere } }
    var longestOnLoop: Int { seen.withLock { $0.onLoop } }

    func read(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(FileSystemError) -> Int {
        let (count, isOnLoop) = (buffer.count, MultiThreadedEventLoopGroup.currentEventLoop != nil)
        seen.withLock { seen in
            seen.anywhere = max(seen.anywhere, count)
            if isOnLoop { seen.onLoop = max(seen.onLoop, count) }
        }
        return try disk.read(descriptor, into: buffer, at: offset)
    }

    func open(_ path: String, _ access: FileAccess) throws(FileSystemError) -> Int32 { try disk.open(path, access) }

    func close(_ descriptor: Int32) { disk.close(descriptor) }

    func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int64) throws(FileSystemError) {
        try disk.write(bytes, to: descriptor, at: offset)
    }

    func synchronize(_ descriptor: Int32) throws(FileSystemError) { try disk.synchronize(descriptor) }

    func size(_ descriptor: Int32) throws(FileSystemError) -> Int64 { try disk.size(descriptor) }

    func rename(_ old: String, to new: String) throws(FileSystemError) { try disk.rename(old, to: new) }

    func unlink(_ path: String) throws(FileSystemError) { try disk.unlink(path) }

    func makeDirectory(_ path: String) throws(FileSystemError) { try disk.makeDirectory(path) }

    func synchronizeDirectory(_ path: String) throws(FileSystemError) { try disk.synchronizeDirectory(path) }

    func names(in directory: String) -> [String] { disk.names(in: directory) }
}
