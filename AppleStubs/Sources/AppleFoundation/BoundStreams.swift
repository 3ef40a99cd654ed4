import Foundation
import Locking

// What Foundation on Linux declares, but never calls.
// c:objc(pl)NSStreamDelegate(im)stream:handleEvent: | iOS 2.0, macOS 10.0 | nonisolated | M
// func stream(_ aStream: Stream, handle eventCode: Stream.Event)

extension Stream {
    // c:objc(cs)NSStream(cm)getBoundStreamsWithBufferSize:inputStream:outputStream: | iOS 8.0, macOS 10.10 | nonisolated | D
    public class func getBoundStreams(
        withBufferSize bufferSize: Int, inputStream: UnsafeMutablePointer<InputStream?>?,
        outputStream: UnsafeMutablePointer<OutputStream?>?
    ) {
        let pipe = StreamPipe(room: bufferSize)
        inputStream?.pointee = BoundInputStream(pipe)
        outputStream?.pointee = BoundOutputStream(pipe)
    }
}

// c:@T@CFWriteStreamRef | iOS 2.0, macOS 10.1 | nonisolated | M
public typealias CFWriteStream = OutputStream

// c:@F@CFWriteStreamSetDispatchQueue | iOS 7.0, macOS 10.9 | nonisolated | B
public func CFWriteStreamSetDispatchQueue(_ stream: CFWriteStream!, _ q: DispatchQueue!) {
    (stream as? BoundOutputStream)?.pipe.setQueue(q)
}

/// Not in Apple's module: what lies between the two ends.
public final class StreamPipe: @unchecked Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var isClosed = false
        var isOpen = false
        var isTold = false
        var faults: [String] = []
    }

    private let state = LockedBox(State())
    private let room: Int
    private let queue = LockedBox<DispatchQueue?>(nil)
    weak var output: BoundOutputStream?
    /// Called when there is something to read or the end has come.
    package let onChange = LockedBox<(@Sendable () -> Void)?>(nil)

    init(room: Int) { self.room = room }

    func setQueue(_ queue: DispatchQueue?) { self.queue.withLock { $0 = queue } }

    /// What was done with the ends that must not be done.
    public var faults: [String] { state.withLock { $0.faults } }
    public var isClosed: Bool { state.withLock { $0.isClosed } }

    func open() {
        state.withLock { $0.isOpen = true }
        tellRoom()
    }

    func close() {
        state.withLock { state in
            if state.isClosed { state.faults.append("closed twice") }
            state.isClosed = true
        }
        onChange.withLock { $0 }?()
    }

    func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        let count = state.withLock { state -> Int in
            if state.isClosed || !state.isOpen { state.faults.append("written to a stream that is not open") }
            if !state.isTold { state.faults.append("written without being told that there is room") }
            state.isTold = false
            let count = min(bytes.count, room - state.bytes.count)
            state.bytes += bytes.prefix(count)
            return count
        }
        onChange.withLock { $0 }?()
        tellRoom()
        return count
    }

    /// - Returns: What lies there, and whether the end has come.
    public func read() -> (bytes: [UInt8], isOver: Bool) {
        let read = state.withLock { state -> ([UInt8], Bool) in
            defer { state.bytes = [] }
            return (state.bytes, state.isClosed)
        }
        tellRoom()
        return read
    }

    private func tellRoom() {
        let isNews = state.withLock { state -> Bool in
            guard state.isOpen, !state.isClosed, !state.isTold, state.bytes.count < room else { return false }
            state.isTold = true
            return true
        }
        guard isNews, let queue = queue.withLock({ $0 }) else { return }
        queue.async { [weak self] in
            guard let self, let output else { return }
            output.delegate?.stream(output, handle: .hasSpaceAvailable)
        }
    }
}

/// Not in Apple's module.
public final class BoundInputStream: InputStream {
    public let pipe: StreamPipe

    init(_ pipe: StreamPipe) {
        self.pipe = pipe
        super.init(data: Data())
    }
}

final class BoundOutputStream: OutputStream {
    let pipe: StreamPipe
    private weak var listener: (any StreamDelegate)?

    init(_ pipe: StreamPipe) {
        self.pipe = pipe
        super.init(toMemory: ())
        pipe.output = self
    }

    required init(toMemory: ()) {
        pipe = StreamPipe(room: 0)
        super.init(toMemory: ())
    }

    override var delegate: (any StreamDelegate)? {
        get { listener }
        set { listener = newValue }
    }

    override func open() { pipe.open() }
    override func close() { pipe.close() }

    override func write(_ buffer: UnsafePointer<UInt8>, maxLength len: Int) -> Int {
        pipe.write(UnsafeBufferPointer(start: buffer, count: len))
    }
}
