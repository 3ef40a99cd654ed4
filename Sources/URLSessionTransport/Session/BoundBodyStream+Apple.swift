#if canImport(Network)
import Foundation

/// Both ends of a stream for a request's content: the session reads from one, we write to the other.
///
/// `@unchecked`: the stream is used on `queue` alone.
final class BoundBodyStream: NSObject, OutputPort, StreamDelegate, @unchecked Sendable {
    static let isAvailable = true
    /// How many bytes lie between the two ends at most.
    private static let size = 65_536

    private let stream: OutputStream
    private let queue = DispatchQueue(label: "larder.upload")
    private var notify: (@Sendable (OutputPortEvent) -> Void)?

    static func make() -> (InputStream, any OutputPort)? {
        var input: InputStream?
        var output: OutputStream?
        Stream.getBoundStreams(withBufferSize: size, inputStream: &input, outputStream: &output)
        guard let input, let output else { return nil }
        return (input, BoundBodyStream(output))
    }

    private init(_ stream: OutputStream) { self.stream = stream }

    func open(_ notify: @escaping @Sendable (OutputPortEvent) -> Void) {
        queue.async {
            self.notify = notify
            self.stream.delegate = self
            CFWriteStreamSetDispatchQueue(self.stream as CFWriteStream, self.queue)
            self.stream.open()
        }
    }

    func write(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { stream.write($0, maxLength: buffer.count) } ?? 0
        }
    }

    func enqueue(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    func close() {
        notify = nil
        stream.delegate = nil
        CFWriteStreamSetDispatchQueue(stream as CFWriteStream, nil)
        stream.close()
    }

    func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
        switch eventCode {
        case .hasSpaceAvailable: notify?(.hasRoom)
        case .errorOccurred, .endEncountered: notify?(.failed)
        default: break
        }
    }
}
#endif
