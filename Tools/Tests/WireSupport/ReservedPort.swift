import Glibc

/// A free port of loopback that nobody else is given as long as this lives: for an origin that goes away, and in whose
/// place no origin of another test may answer.
///
/// The socket is bound and does not listen, so whoever connects is refused. A listener that reuses addresses
/// (SO_REUSEADDR) can be bound beside it, socket(7).
package final class ReservedPort: Sendable {
    package let number: Int
    private let descriptor: Int32

    package init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SystemCallFailure(number: errno) }
        var isOn: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let own = descriptor
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(own, address, size) == 0 && getsockname(own, address, &size) == 0
            }
        }
        guard isBound else { throw SystemCallFailure(number: errno) }
        number = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { close(descriptor) }
}
