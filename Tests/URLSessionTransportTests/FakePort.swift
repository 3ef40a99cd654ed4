import CacheTesting
import Dispatch
import URLSessionTransport

/// The end of a stream that is written to: takes what it has room for, once for each time that it says so.
final class FakePort: OutputPort {
    let written = WatchedValue<[UInt8]>([])
    let isClosed = WatchedValue(false)
    private let notify = WatchedValue<(@Sendable (OutputPortEvent) -> Void)?>(nil)
    private let queue = DispatchQueue(label: "fake port")
    private let room: Int

    init(room: Int = .max) { self.room = room }

    func tell(_ event: OutputPortEvent) {
        queue.async { self.notify.value?(event) }
    }

    func open(_ notify: @escaping @Sendable (OutputPortEvent) -> Void) {
        self.notify.update { $0 = notify }
    }

    func write(_ bytes: ArraySlice<UInt8>) -> Int {
        let taken = bytes.prefix(room)
        written.update { $0 += taken }
        // More room, unless this fake is to be told.
        if room == .max { tell(.hasRoom) }
        return taken.count
    }

    func enqueue(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    func close() { isClosed.update { $0 = true } }
}
