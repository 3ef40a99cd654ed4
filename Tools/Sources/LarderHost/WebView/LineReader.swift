import Dispatch
import Foundation

/// The lines of a pipe, as they come, without line ends.
///
/// Over Dispatch, because `FileHandle.availableData` traps on Linux when a signal interrupts it.
enum LineReader {
    static func lines(of handle: FileHandle) -> AsyncStream<Data> {
        let (lines, continuation) = AsyncStream.makeStream(of: Data.self)
        var partial = Data()
        read(handle) { data in
            guard let data else {
                continuation.finish()
                return
            }
            partial += data
            while let end = partial.firstIndex(of: 0x0A) {
                continuation.yield(Data(partial[partial.startIndex..<end]))
                partial = Data(partial[partial.index(after: end)...])
            }
        }
        return lines
    }

    /// Calls back with what comes, and with `nil` at the end; one call at a time. Takes the descriptor over.
    static func read(_ handle: FileHandle, _ receive: @escaping (Data?) -> Void) {
        let queue = DispatchQueue(label: "larder.pipe")
        let channel = DispatchIO(type: .stream, fileDescriptor: handle.fileDescriptor, queue: queue) { _ in
            // The handle owns the descriptor and lives until the channel has let go of it.
            try? handle.close()
        }
        channel.setLimit(lowWater: 1)
        channel.read(offset: 0, length: .max, queue: queue) { isDone, data, _ in
            if let data, !data.isEmpty { receive(Data(data)) }
            if isDone {
                receive(nil)
                channel.close()
            }
        }
    }
}
