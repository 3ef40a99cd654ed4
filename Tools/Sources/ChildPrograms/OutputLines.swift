import Foundation

/// The lines of a program's output as they arrive, for one reader.
///
/// Output that the reader has not taken waits in the pipe, but for ``waitingLimit`` bytes: a
/// program that writes faster than it is read has to wait.
///
/// Unchecked because everything that changes is used under the condition's lock.
package final class OutputLines: AsyncSequence, @unchecked Sendable {
    /// A line is longer than the reader takes.
    package struct LineTooLong: Error, Hashable, CustomStringConvertible {
        /// Bytes.
        package var limit: Int

        package init(limit: Int) { self.limit = limit }

        package var description: String { "A line of its output is longer than \(limit >> 20) MiB." }
    }

    private typealias Reader = CheckedContinuation<Result<Data?, any Error>, Never>

    /// Bytes of whole lines that may wait for their reader.
    package static let waitingLimit = 1 << 20

    private let condition = NSCondition()
    private var lines: [Data] = []
    private var next = 0
    private var waitingBytes = 0
    private var reader: Reader?
    private var end: Result<Data?, any Error>?

    /// Reads on a thread of its own until the end, or until nobody wants more.
    init(of pipe: OutputPipe, limit: Int) {
        Thread.detachNewThread { [self] in
            var buffer = LineBuffer(limit: limit)
            while true {
                let more = pipe.next()
                if more.isEmpty { return finish() }
                for line in buffer.append(Array(more)) {
                    if line.omitted > 0 { return finish(throwing: LineTooLong(limit: limit)) }
                    guard add(Data(line.bytes)) else { return }
                }
                if buffer.omitted > 0 { return finish(throwing: LineTooLong(limit: limit)) }
            }
        }
    }

    /// - Returns: Whether more is wanted. Waits until there is room.
    private func add(_ line: Data) -> Bool {
        condition.lock()
        while end == nil, waitingBytes > Self.waitingLimit { condition.wait() }
        guard end == nil else {
            condition.unlock()
            return false
        }
        let reader = reader
        self.reader = nil
        if reader == nil {
            lines.append(line)
            waitingBytes += line.count + 1
        }
        condition.unlock()
        reader?.resume(returning: .success(line))
        return true
    }

    /// Ends the sequence, whatever the program does: lines that have arrived are still given, nothing more is read.
    package func finish(throwing error: (any Error)? = nil) {
        condition.lock()
        guard end == nil else { return condition.unlock() }
        let result = error.map { Result<Data?, any Error>.failure($0) } ?? .success(nil)
        end = result
        let reader = reader
        self.reader = nil
        condition.broadcast()
        condition.unlock()
        reader?.resume(returning: result)
    }

    private func take(_ continuation: Reader) {
        condition.lock()
        let result: Result<Data?, any Error>?
        if next < lines.count {
            let line = lines[next]
            next += 1
            // Taken lines are let go together, so that taking all of them is linear.
            if next == lines.count { (lines, next) = ([], 0) }
            waitingBytes -= line.count + 1
            condition.broadcast()
            result = .success(line)
        } else {
            result = end
            if end == nil { reader = continuation }
        }
        condition.unlock()
        if let result { continuation.resume(returning: result) }
    }

    package func makeAsyncIterator() -> Iterator { Iterator(lines: self) }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let lines: OutputLines

        /// - Throws: ``LineTooLong``, or what ``OutputLines/finish(throwing:)`` was given.
        package func next() async throws -> Data? {
            try await withCheckedContinuation { lines.take($0) }.get()
        }
    }
}
