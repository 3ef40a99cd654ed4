import Foundation
import Glibc

/// A TCP socket that blocks: for clients and origins that read no sooner than they are told to, end one direction, or
/// go away. Whatever it waits for fails after twenty minutes, which no busy machine needs.
package final class BlockingSocket: Sendable {
    private static let patience = timeval(tv_sec: 1_200, tv_usec: 0)

    package let descriptor: Int32

    fileprivate init(_ descriptor: Int32) {
        self.descriptor = descriptor
        var patience = Self.patience
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
    }

    deinit { Glibc.close(descriptor) }

    /// - Parameter room: The most that waits in the system to be read, in bytes; the system's own choice unless set.
    package static func connect(port: Int, room: Int32? = nil) throws -> BlockingSocket {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let socket = BlockingSocket(try SystemCallFailure.check(descriptor))
        if var room {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<Int32>.size))
        }
        let status = withLoopback(port) { Glibc.connect(descriptor, $0, $1) }
        try SystemCallFailure.check(status)
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
    package func send(_ bytes: [UInt8]) -> Bool { failure(ofSending: bytes) == nil }

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
    package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// What is there, as soon as there is anything; empty at the end, `nil` after twenty minutes or a reset.
    package func receive() -> [UInt8]? {
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
    package func isEnded() -> Bool {
        while true {
            switch receiveNext() {
            case .bytes(let bytes): if bytes.isEmpty { return true }
            case .failure(let error): return error == ECONNRESET
            }
        }
    }

    /// All up to a text, or what came before the end.
    package func receive(until end: String) -> String {
        var text = ""
        while !text.hasSuffix(end), let bytes = receive(), !bytes.isEmpty { text += Octets.text(bytes) }
        return text
    }

    /// All up to the end; `nil` when that did not come.
    package func receiveToEnd() -> [UInt8]? {
        var all: [UInt8] = []
        while let bytes = receive() {
            if bytes.isEmpty { return all }
            all += bytes
        }
        return nil
    }

    /// Says that nothing more will be sent; what comes can still be read.
    package func endOutput() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Makes the connection end with a reset, once it is let go of.
    package func breakOff() {
        var choice = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &choice, socklen_t(MemoryLayout<linger>.size))
    }

    /// Whether the other side has let go of the connection altogether, as what is sent then is refused.
    package func isRefused() -> Bool {
        let piece = [UInt8](repeating: 0x78, count: 65_536)
        while true {
            if let error = failure(ofSending: piece) { return error == EPIPE || error == ECONNRESET }
        }
    }
}

/// Listens on a free port of loopback.
package final class BlockingListener: Sendable {
    package let port: Int
    private let descriptor: Int32

    /// - Parameter room: As of ``BlockingSocket/connect(port:room:)``, for those that are accepted.
    package init(room: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        try SystemCallFailure.check(descriptor)
        if var room {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<Int32>.size))
        }
        let (own, bound) = (descriptor, BlockingSocket.withLoopback(0, { [descriptor] in bind(descriptor, $0, $1) }))
        try SystemCallFailure.check(bound)
        try SystemCallFailure.check(listen(own, 128))
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let named = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(own, $0, &size) }
        }
        try SystemCallFailure.check(named)
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { Glibc.close(descriptor) }

    /// The next connection; `nil` when none has come within so many seconds.
    package func accept(within seconds: Int32 = 1_200) -> BlockingSocket? {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, seconds * 1_000) == 1 else { return nil }
        let accepted = Glibc.accept(descriptor, nil, nil)
        return accepted < 0 ? nil : BlockingSocket(accepted)
    }
}

struct SystemCallFailure: Error {
    let number: Int32

    @discardableResult
    static func check(_ result: Int32) throws -> Int32 {
        guard result >= 0 else { throw SystemCallFailure(number: errno) }
        return result
    }
}

/// Work that blocks, on a thread of its own: those that tasks share are few.
package func onThread<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Swift.Result { try work() }) }
    }
}
