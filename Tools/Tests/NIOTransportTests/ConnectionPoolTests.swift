import CacheEngine
import CacheTesting
import HTTPTypes
import Locking
import NIOCore
import NIOPosix
import OriginDialing
import Testing
import WireSupport

@testable import NIOTransport

/// How many connections to origins stay, and for how long.
@Suite("connections that nobody uses", .serialized, .timeLimit(.minutes(60)))
struct ConnectionPoolTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    private static let hosts = ["a.test", "b.test", "c.test", "d.test"]

    private func dialer(_ origin: WireOrigin) throws -> OriginDialer {
        OriginDialer(
            group: MultiThreadedEventLoopGroup.singleton,
            hostMap: try HostMap(Self.hosts.map { "\($0):80:127.0.0.1:\(origin.port)" }), trust: try OriginTrust())
    }

    private func get(_ host: String, by transport: NIOOriginTransport) async throws {
        let head = HTTPRequest(method: .get, scheme: "http", authority: host, path: "/")
        let response = try await transport.send(TransportRequest(head: head))
        while try await response.body.next() != nil {}
    }

    @Test("one is closed when its time is over")
    func idleTime() async throws {
        let origin = try await WireOrigin.start(answer: Self.ok)
        var limits = NIOOriginTransport.Limits()
        limits.idleTime = .milliseconds(20)
        let transport = NIOOriginTransport(dialer: try dialer(origin), limits: limits)
        for host in Self.hosts.prefix(2) { try await get(host, by: transport) }
        for connection in 0..<2 { try await origin.closed(connection) }
        // And so is one that comes later.
        try await get(Self.hosts[0], by: transport)
        try await origin.closed(2)
    }

    @Test("where there are too many, the one that is idle for longest gives way, whichever its origin")
    func limit() async throws {
        let origin = try await WireOrigin.start(answer: Self.ok)
        var limits = NIOOriginTransport.Limits()
        limits.connections = 2
        // However busy the machine is, none of them is old.
        limits.idleTime = .seconds(86_400)
        let transport = NIOOriginTransport(dialer: try dialer(origin), limits: limits)
        for host in Self.hosts { try await get(host, by: transport) }
        for connection in 0..<2 { try await origin.closed(connection) }
        // The last two are there still.
        for host in Self.hosts.suffix(2) { try await get(host, by: transport) }
        #expect(origin.received.count == 4)
        transport.closeIdleConnections()
    }

    @Test(
        "connections that are begun ahead: one where there is none, or as many as are kept", arguments: [false, true])
    func ahead(isOneMore: Bool) async throws {
        let origin = try await WireOrigin.start(answer: Self.ok)
        var limits = NIOOriginTransport.Limits()
        (limits.idleConnectionsPerOrigin, limits.idleTime) = (3, .seconds(86_400))
        let transport = NIOOriginTransport(dialer: try dialer(origin), limits: limits)
        for _ in 0..<9 {
            transport.prepare(.init(host: "a.test", port: 80, isSecure: false), isOneMore: isOneMore)
        }
        let count = isOneMore ? 3 : 1
        while origin.received.count < count { await Task.yield() }
        try await get("a.test", by: transport)
        // A request to another host comes after all that was begun.
        try await get("b.test", by: transport)
        #expect(origin.received.count == count + 1)
        transport.closeIdleConnections()
    }

    @Test("when no descriptor is left those are closed that nobody uses")
    func spared() async throws {
        let origin = try await WireOrigin.start(answer: Self.ok)
        let dialer = try dialer(origin)
        let transport = NIOOriginTransport(dialer: dialer)
        for host in Self.hosts { try await get(host, by: transport) }
        await dialer.spare.close()
        for connection in Self.hosts.indices { try await origin.closed(connection) }
    }

    @Test("requests that are cancelled at any moment leave nothing behind")
    func cancelled() async throws {
        let origin = try await WireOrigin.start(answer: Self.ok)
        let dialer = try dialer(origin)
        let pool = ConnectionPool(limits: .init(), loop: dialer.group.any()) {
            try await OriginConnection.open($0, offersHTTP2: $1, dialer)
        }
        let endpoint = OriginDialer.Endpoint(host: "a.test", port: 80, isSecure: false)
        for round in 0..<300 {
            let task = Task { try await pool.take(endpoint) }
            for _ in 0..<(round % 30) { await Task.yield() }
            task.cancel()
            if let connection = try? await task.value { pool.give(connection, endpoint) }
        }
        // What was on its way for those who are gone arrives.
        while !pool.isEmpty {
            pool.closeIdle()
            await Task.yield()
        }
    }

    @Test("RFC 9112 §9.4: a burst of requests to one origin has 32 connections, six of them before one has come")
    func burst() async throws {
        let origin = try await WireOrigin.start(answer: Self.ok)
        let dialer = try dialer(origin)
        let (ready, release, held, dials) = (Gate(), Gate(), WatchedValue(0), LockedBox(0))
        var limits = ConnectionPool.Limits()
        limits.longestWait = .hours(1)
        let pool = ConnectionPool(limits: limits, loop: dialer.group.any()) { endpoint, offersHTTP2 in
            dials.withLock { $0 += 1 }
            try await ready.pass()
            return try await OriginConnection.open(endpoint, offersHTTP2: offersHTTP2, dialer)
        }
        let endpoint = OriginDialer.Endpoint(host: "a.test", port: 80, isSecure: false)
        let requests = (0..<100).map { _ in
            Task {
                let connection = try await pool.take(endpoint)
                held.update { $0 += 1 }
                try await release.pass()
                pool.give(connection, endpoint)
            }
        }
        try await ready.arrivals(6)
        for _ in 0..<200 { await Task.yield() }
        #expect(dials.withLock { $0 } == 6)
        ready.open()
        try await held.wait { $0 >= 32 }
        release.open()
        for request in requests { try await request.value }
        #expect(dials.withLock { $0 } == 32)
        pool.closeIdle()
    }

    @Test("a request that has waited for long beside 32 that do not end, such as event streams, has one more")
    func beyond() async throws {
        let origin = try await WireOrigin.start(answer: Self.ok)
        let dialer = try dialer(origin)
        var limits = ConnectionPool.Limits()
        limits.longestWait = .milliseconds(1)
        let pool = ConnectionPool(limits: limits, loop: dialer.group.any()) { endpoint, offersHTTP2 in
            try await OriginConnection.open(endpoint, offersHTTP2: offersHTTP2, dialer)
        }
        let endpoint = OriginDialer.Endpoint(host: "a.test", port: 80, isSecure: false)
        var held: [OriginConnection] = []
        for _ in 0..<40 { held.append(try await pool.take(endpoint)) }
        for connection in held { pool.give(connection, endpoint) }
        pool.closeIdle()
    }

    @Test("where a page's request and one ahead of need wait for a connection, the page's gets the first")
    func yielding() async throws {
        let origin = try await WireOrigin.start(answer: Self.ok)
        let dialer = try dialer(origin)
        let (first, others, dials) = (Gate(), Gate(), LockedBox(0))
        let pool = ConnectionPool(limits: .init(), loop: dialer.group.any()) { endpoint, _ in
            let number = dials.withLock { number -> Int in
                number += 1
                return number
            }
            try await (number == 1 ? first : others).pass()
            return try await OriginConnection.open(endpoint, dialer)
        }
        let endpoint = OriginDialer.Endpoint(host: "a.test", port: 80, isSecure: false)
        let ahead = Task { try await pool.take(endpoint, yields: true) }
        try await first.arrivals(1)
        let page = Task { try await pool.take(endpoint) }
        try await others.arrivals(1)
        first.open()
        // Else nothing would come for it.
        pool.give(try await page.value, endpoint)
        others.open()
        pool.give(try await ahead.value, endpoint)
        while !pool.isEmpty {
            pool.closeIdle()
            await Task.yield()
        }
    }
}
