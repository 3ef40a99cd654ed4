import Foundation
import Glibc
import Testing

/// A TCP socket that blocks: for clients and origins that read no sooner than they are told to, end one direction, or
/// go away. Whatever it waits for fails after twenty minutes, which no busy machine needs.
final class BlockingSocket: Sendable {
    private static let patience = timeval(tv_sec: 1_200, tv_usec: 0)

    let descriptor: Int32

    fileprivate init(_ descriptor: Int32) {
        self.descriptor = descriptor
        var patience = Self.patience
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
    }

    deinit { Glibc.close(descriptor) }

    /// - Parameter room: The most that waits in the system to be read, in bytes; the system's own choice unless set.
    static func connect(port: Int, room: Int32? = nil) throws -> BlockingSocket {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        try #require(descriptor >= 0)
        let socket = BlockingSocket(descriptor)
        if var room {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<Int32>.size))
        }
        let status = withLoopback(port) { Glibc.connect(descriptor, $0, $1) }
        try #require(status == 0)
        return socket
    }

    fileprivate static func withLoopback(
        _ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }

    /// - Returns: Whether all of it was taken.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool { failure(ofSending: bytes) == nil }

    /// - Returns: The number of the error where not all of it was taken, `errno` at that moment; `nil` where it was.
    private func failure(ofSending bytes: [UInt8]) -> Int32? {
        var sent = 0
        while sent < bytes.count {
            let (count, error) = bytes[sent...].withUnsafeBytes { rest in
                let count = Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
                return (count, errno)
            }
            if count < 0, error == EINTR { continue }
            guard count > 0 else { return error }
            sent += count
        }
        return nil
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// What is there, as soon as there is anything; empty at the end, `nil` after twenty minutes or a reset.
    func receive() -> [UInt8]? {
        if case .bytes(let bytes) = receiveNext() { bytes } else { nil }
    }

    private enum Received {
        /// Empty at the end.
        case bytes([UInt8])
        /// With `errno` of that moment.
        case failure(Int32)
    }

    private func receiveNext() -> Received {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let (count, error) = buffer.withUnsafeMutableBytes { buffer in
                let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
                return (count, errno)
            }
            if count < 0, error == EINTR { continue }
            return count < 0 ? .failure(error) : .bytes(Array(buffer[..<count]))
        }
    }

    /// Whether the other side ends the connection, in order or by a reset; whatever comes before is dropped.
    func isEnded() -> Bool {
        while true {
            switch receiveNext() {
            case .bytes(let bytes): if bytes.isEmpty { return true }
            case .failure(let error): return error == ECONNRESET
            }
        }
    }

    /// All up to a text, or what came before the end.
    func receive(until end: String) -> String {
        var text = ""
        while !text.hasSuffix(end), let bytes = receive(), !bytes.isEmpty { text += Octets.text(bytes) }
        return text
    }

    /// All up to the end; `nil` when that did not come.
    func receiveToEnd() -> [UInt8]? {
        var all: [UInt8] = []
        while let bytes = receive() {
            if bytes.isEmpty { return all }
            all += bytes
        }
        return nil
    }

    /// Says that nothing more will be sent; what comes can still be read.
    func endOutput() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Makes the connection end with a reset, once it is let go of.
    func breakOff() {
        var choice = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &choice, socklen_t(MemoryLayout<linger>.size))
    }

    /// Whether the other side has let go of the connection altogether, as what is sent then is refused.
    func isRefused() -> Bool {
        let piece = [UInt8](repeating: 0x78, count: 65_536)
        while true {
            if let error = failure(ofSending: piece) { return error == EPIPE || error == ECONNRESET }
        }
    }
}

/// Listens on a free port of loopback.
final class BlockingListener: Sendable {
    let port: Int
    private let descriptor: Int32

    /// - Parameter room: As of ``BlockingSocket/connect(port:room:)``, for those that are accepted.
    init(room: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        try #require(descriptor >= 0)
        if var room {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<Int32>.size))
        }
        let (own, bound) = (descriptor, BlockingSocket.withLoopback(0, { [descriptor] in bind(descriptor, $0, $1) }))
        try #require(bound == 0 && listen(own, 128) == 0)
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let named = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(own, $0, &size) }
        }
        try #require(named == 0)
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { Glibc.close(descriptor) }

    /// The next connection; `nil` when none has come within so many seconds.
    func accept(within seconds: Int32 = 1_200) -> BlockingSocket? {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, seconds * 1_000) == 1 else { return nil }
        let accepted = Glibc.accept(descriptor, nil, nil)
        return accepted < 0 ? nil : BlockingSocket(accepted)
    }
}

/// Work that blocks, on a thread of its own: those that tasks share are few.
func onThread<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Swift.Result { try work() }) }
    }
}
