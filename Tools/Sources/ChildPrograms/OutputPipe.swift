import Foundation

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// read(2), which has the name of a method here.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}

/// A program's output. One reader at a time.
package final class OutputPipe: Sendable {
    private let ends: PipeEnds

    /// - Throws: `POSIXError` when there are no descriptors left.
    package init() throws {
        ends = try PipeEnds(childWrites: true)
    }

    func childEnd() throws -> Int32 { try ends.childEnd() }
    func seal() { ends.seal() }

    /// The next bytes as soon as some have come; nothing at the end. Blocks the thread.
    func next() -> Data {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = systemRead(ends.ours, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            return Data(buffer.prefix(max(count, 0)))
        }
    }

    /// Reads until the end, or until enough has come. Blocks the thread.
    package func read(until isEnough: (Data) -> Bool = { _ in false }) -> Data {
        var all = Data()
        while !isEnough(all) {
            let more = next()
            if more.isEmpty { break }
            all += more
        }
        return all
    }

    /// Reads until the end, or until enough has come, on a thread of its own: those that tasks share are few, and what
    /// the program talks to may be tasks of this process.
    package func readAll(until isEnough: @escaping @Sendable (Data) -> Bool = { _ in false }) async -> Data {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: self.read(until: isEnough)) }
        }
    }

    /// Calls back with what comes, and with `nil` at the end, from a thread of its own.
    package func each(_ receive: @escaping @Sendable (Data?) -> Void) {
        Thread.detachNewThread {
            while true {
                let more = self.next()
                if more.isEmpty { break }
                receive(more)
            }
            receive(nil)
        }
    }

    /// The longest line that is read unless another limit is given: 64 MiB.
    package static let lineLimit = 64 << 20

    /// Its lines as they arrive, without line feeds. A last line without a line feed is dropped.
    ///
    /// - Parameter limit: Bytes. A longer line ends the sequence with ``OutputLines/LineTooLong``.
    package func lines(limit: Int = lineLimit) -> OutputLines { OutputLines(of: self, limit: limit) }
}
