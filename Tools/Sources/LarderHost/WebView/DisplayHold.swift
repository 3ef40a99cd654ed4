#if os(Linux)
import Dispatch
import Glibc
import Locking

/// A client of an X server that paints nothing.
///
/// A server that was started with `-terminate` ends when its last client has left. So it lives as long as this, and
/// after that as long as a web view still needs it to end well, however this process ends.
final class DisplayHold: Sendable {
    private let descriptor: LockedBox<Int32?>

    /// Connects, on a thread that may wait.
    ///
    /// - Throws: ``HostError/Code/badUse`` when the server takes no client.
    static func take(_ number: Int, _ authority: DisplayAuthority) async throws -> DisplayHold {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global(qos: .userInitiated).async {
                continuation.resume(with: Result { try DisplayHold(number, authority.cookie) })
            }
        }
    }

    private init(_ number: Int, _ cookie: [UInt8]) throws {
        // Servers may do without either of them.
        let paths = ["\0/tmp/.X11-unix/X\(number)", "/tmp/.X11-unix/X\(number)"]
        for path in paths {
            guard let socket = Self.connect(path) else { continue }
            if Self.begin(on: socket, cookie) {
                descriptor = LockedBox(socket)
                return
            }
            close(socket)
        }
        throw HostError(code: .badUse, message: "Xvfb takes no connection to its display ':\(number)'.")
    }

    deinit { release() }

    /// The server may end.
    func release() {
        let socket = descriptor.withLock { descriptor -> Int32? in
            defer { descriptor = nil }
            return descriptor
        }
        if let socket { close(socket) }
    }

    /// - Parameter path: A name without a file begins with a null character, unix(7).
    private static func connect(_ path: String) -> Int32? {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { return nil }
        // A server that says nothing must not keep us.
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = Array(path.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let offset = MemoryLayout.offset(of: \sockaddr_un.sun_path) ?? 2
        let isConnected = withUnsafeBytes(of: &address) { bytes in
            bytes.baseAddress.map {
                Glibc.connect(
                    descriptor, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(offset + name.count)) == 0
            }
        }
        if isConnected == true { return descriptor }
        close(descriptor)
        return nil
    }

    /// X Window System Protocol, §8, "Connection Setup": least significant byte first, version 11.0, then the name of
    /// the authorization and its data, filled up to four bytes. The answer begins with 1 where the client is taken;
    /// nobody reads the rest.
    private static func begin(on descriptor: Int32, _ cookie: [UInt8]) -> Bool {
        let name = DisplayAuthority.protocolName
        func filled(_ bytes: [UInt8]) -> [UInt8] { bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4) }
        let request: [UInt8] =
            [0x6C, 0, 11, 0, 0, 0, UInt8(name.count), 0, UInt8(cookie.count), 0, 0, 0] + filled(name) + filled(cookie)
        var answer: UInt8 = 0
        return send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count
            && recv(descriptor, &answer, 1, 0) == 1 && answer == 1
    }
}
#endif
