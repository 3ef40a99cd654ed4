import CacheTesting
import ChildPrograms
import Foundation
import Glibc
import LarderHost
import Testing

@Suite("A virtual display", .serialized, .timeLimit(.minutes(10)))
struct DisplayTests {
    /// The first byte of the answer to a connection without authorization: 1 where the client is taken (X Window System
    /// Protocol, §8).
    private static func answer(of display: String, name: String = "", data: [UInt8] = []) throws -> UInt8 {
        let number = display.dropFirst()
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array("/tmp/.X11-unix/X\(number)".utf8)) }
        let isConnected = withUnsafeBytes(of: &address) { bytes in
            bytes.baseAddress.map {
                connect(
                    descriptor, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(MemoryLayout<sockaddr_un>.size))
                    == 0
            }
        }
        try #require(isConnected == true)
        func filled(_ bytes: [UInt8]) -> [UInt8] { bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4) }
        let head: [UInt8] = [0x6C, 0, 11, 0, 0, 0, UInt8(name.utf8.count), 0, UInt8(data.count), 0, 0, 0]
        let request: [UInt8] = head + filled(Array(name.utf8)) + filled(data)
        let sent = send(descriptor, request, request.count, 0)
        #expect(sent == request.count)
        var answer: UInt8 = 0
        #expect(recv(descriptor, &answer, 1, 0) == 1)
        return answer
    }

    @Test("only a client with its cookie is taken; the cookie is new each time, and its file the owner's alone")
    func cookie() async throws {
        let (first, second) = (try await Display.find(), try await Display.find())
        defer {
            first.stop()
            second.stop()
        }
        let name = try #require(first.environment["DISPLAY"])
        let file = try #require(first.environment["XAUTHORITY"])
        var status = stat()
        try #require(stat(file, &status) == 0)
        let mode = status.st_mode & 0o7777
        #expect(mode == 0o600)
        let entry = try Data(contentsOf: URL(fileURLWithPath: file))
        // Xau(3): family, address, number, name, data.
        #expect(entry.count == 44)
        let other = try Data(contentsOf: URL(fileURLWithPath: #require(second.environment["XAUTHORITY"])))
        #expect(entry.suffix(16) != other.suffix(16))
        #expect(try Self.answer(of: name) == 0, "a client without a cookie")
        #expect(try Self.answer(of: name, name: "MIT-MAGIC-COOKIE-1", data: Array(other.suffix(16))) == 0)
        #expect(try Self.answer(of: name, name: "MIT-MAGIC-COOKIE-1", data: Array(entry.suffix(16))) == 1)
    }

    @Test("it listens on no TCP port")
    func noTCP() async throws {
        let display = try await Display.find()
        defer { display.stop() }
        let number = try #require(display.environment["DISPLAY"].flatMap { Int($0.dropFirst()) })
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(6_000 + number).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let isConnected = withUnsafeBytes(of: &address) { bytes in
            bytes.baseAddress.map {
                connect(
                    descriptor, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(MemoryLayout<sockaddr_in>.size))
                    == 0
            }
        }
        #expect(isConnected == false)
    }
}
