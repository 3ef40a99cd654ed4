import CacheEngine
import CacheTesting
import CachingProxy
import Foundation
import Glibc
import HTTPCacheSemantics
import LarderKit
import Testing
import URLSessionTransport

/// What a system does to an app that it suspends, done to the listener of this process.
@Suite("A proxy whose port the system has taken back", .timeLimit(.minutes(5)), .serialized)
struct ListeningAgainTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func origin() async throws -> PageOrigin {
        try await PageOrigin.start { request in
            PageOrigin.Answer(fields: ["Cache-Control": "max-age=600"], body: "page \(request.path)")
        }
    }

    private func larder(_ transport: (any OriginTransport)? = nil) throws -> Larder {
        let configuration = LarderConfiguration(directory: URL(fileURLWithPath: folder.store))
        if let transport { return try Larder(configuration, transport: transport) }
        return try Larder(configuration)
    }

    private func curl(_ url: String, through proxy: LarderProxy) async throws -> String {
        let user = proxy.credentials.map { ["--proxy-user", "\($0.user):\($0.password)"] } ?? []
        let answer = try await ToolProcess.curl(["-i", "-x", "http://127.0.0.1:\(proxy.port)"] + user + [url])
        return answer.out + answer.err
    }

    /// Ends the listening of this process's socket at a port, behind the back of whoever has it.
    private func takeBack(_ port: Int) throws {
        for descriptor in 3..<Int32(65_536) {
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let named = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
            }
            var listens: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size)
            guard named == 0, address.sin_family == sa_family_t(AF_INET), listens == 1,
                Int(UInt16(bigEndian: address.sin_port)) == port
            else { continue }
            try #require(shutdown(descriptor, Int32(SHUT_RDWR)) == 0)
            return
        }
        Issue.record("nothing listens on \(port)")
    }

    @Test("listens again on the same port, with the same credentials and authority, also several times")
    func samePort() async throws {
        let origin = try await origin()
        let url = "http://127.0.0.1:\(origin.port)/a"
        let larder = try larder()
        let proxy = try await larder.startProxy()
        let (port, authority) = (proxy.port, proxy.authorityCertificatePEM)
        #expect(try await curl(url, through: proxy).contains("page /a"))
        // Nothing has happened: nothing changes.
        #expect(try await !proxy.checkListener())
        for _ in 1...3 {
            try takeBack(port)
            #expect(try await curl(url, through: proxy).contains("curl: (7)"))
            #expect(try await !proxy.checkListener())
            #expect(proxy.port == port && proxy.authorityCertificatePEM == authority)
            #expect(try await curl(url, through: proxy).contains("page /a"))
        }
        #expect(origin.requests.count == 1)
        await proxy.stop()
        #expect(try await curl(url, through: proxy).contains("curl: (7)"))
    }

    @Test("takes another port where another program has taken it, and tells the app")
    func otherPort() async throws {
        let origin = try await origin()
        let url = "http://127.0.0.1:\(origin.port)/a"
        let larder = try larder()
        let proxy = try await larder.startProxy()
        let port = proxy.port
        let changes = proxy.portChanges
        try takeBack(port)
        // Another program: it accepts connections, and is not us.
        let squatter = try await retried { try await self.larder(in: "other").startProxy(port: port) }
        larder.resume()
        var iterator = changes.makeAsyncIterator()
        let told = await iterator.next()
        #expect(told == proxy.port && proxy.port != port)
        #expect(try await curl(url, through: proxy).contains("page /a"))
        await squatter.stop()
        await proxy.stop()
    }

    private func larder(in name: String) throws -> Larder {
        try Larder(LarderConfiguration(directory: URL(fileURLWithPath: folder.path + "/" + name)))
    }

    /// The former listener lets go of the port when its event loop has noticed.
    private func retried<Result>(_ work: () async throws -> Result) async throws -> Result {
        while true {
            do { return try await work() } catch let error as ProxyError where error.code == .portTaken {
                await Task.yield()
            }
        }
    }

    @Test("a proxy that was stopped stays stopped, and several checks at once listen once")
    func once() async throws {
        let larder = try larder()
        let proxy = try await larder.startProxy()
        let port = proxy.port
        try takeBack(port)
        let changed = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 { group.addTask { try await proxy.checkListener() } }
            return try await group.reduce(false) { $0 || $1 }
        }
        #expect(!changed && proxy.port == port)
        await proxy.stop()
        #expect(try await !proxy.checkListener())
        let again = try await larder.startProxy(port: port)
        #expect(again.port == port)
        await again.stop()
    }

    @Test("a suspended Larder's pages wait for it, and are answered when it resumes")
    func suspended() async throws {
        let origin = try await origin()
        let url = "http://127.0.0.1:\(origin.port)/a"
        let larder = try larder()
        let proxy = try await larder.startProxy()
        #expect(try await curl(url, through: proxy).contains("page /a"))
        try await larder.suspend()
        async let answer = curl(url, through: proxy)
        larder.resume()
        #expect(try await answer.contains("page /a"))
        #expect(origin.requests.count == 1)
        await proxy.stop()
    }

    @Test("what pages ask for goes through URLSession where that is the network")
    func urlSession() async throws {
        let origin = try await origin()
        let url = "http://127.0.0.1:\(origin.port)/a"
        let larder = try larder(URLSessionOriginTransport(clock: .system))
        let proxy = try await larder.startProxy()
        for _ in 1...2 { #expect(try await curl(url, through: proxy).contains("page /a")) }
        #expect(origin.requests.count == 1)
        await proxy.stop()
    }
}
