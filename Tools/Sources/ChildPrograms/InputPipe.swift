import Foundation

/// A program's standard input. Its end comes when this object goes away, or this process does.
package final class InputPipe: Sendable {
    private let ends: PipeEnds

    /// - Throws: `POSIXError` when there are no descriptors left.
    package init() throws {
        ends = try PipeEnds(childWrites: false)
    }

    func childEnd() throws -> Int32 { try ends.childEnd() }
    func seal() { ends.seal() }

    /// Writes all of it; waits where the program does not read.
    ///
    /// - Throws: `POSIXError`, with `EPIPE` when nobody reads any more; no signal is raised then.
    package func write(_ data: Data) throws {
        var rest = Array(data)[...]
        while !rest.isEmpty {
            let result = rest.withUnsafeBytes { QuietWriting.write($0, to: ends.ours) }
            switch result {
            case .success(let count): rest = rest.dropFirst(count)
            case .failure(let error) where error.code == .EINTR: continue
            case .failure(let error): throw error
            }
        }
    }
}
