import CWebKitGTK
import Glibc

/// Reads a file descriptor whenever the main loop finds it readable.
@MainActor
final class DescriptorReader {
    private let descriptor: Int32
    private var source: guint = 0
    private let received: ([UInt8]) -> Void
    private let ended: () -> Void

    /// Starts reading. The descriptor must be non-blocking; the reader must live as long as the loop runs.
    init(_ descriptor: Int32, received: @escaping ([UInt8]) -> Void, ended: @escaping () -> Void = {}) {
        self.descriptor = descriptor
        self.received = received
        self.ended = ended
        source = g_unix_fd_add(
            descriptor, GIOCondition(rawValue: G_IO_IN.rawValue | G_IO_HUP.rawValue | G_IO_ERR.rawValue),
            { _, _, data in
                CallbackOwner(data)(DescriptorReader.self, otherwise: 0) { $0.drain() ? 1 : 0 }
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Reads what there is now, but no more than 1 MiB: a page that writes without end must not keep the loop from all
    /// else. Returns `false` at the end.
    @discardableResult
    func drain() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        for _ in 0..<16 {
            let count = read(descriptor, &buffer, buffer.count)
            if count > 0 {
                received(Array(buffer[..<count]))
            } else if count < 0, errno == EINTR {
                continue
            } else if count < 0, errno == EAGAIN {
                return true
            } else {
                ended()
                return false
            }
        }
        return true
    }
}
