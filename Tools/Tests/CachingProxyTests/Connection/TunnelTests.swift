import Glibc
import Testing
import WireSupport

/// Bytes that pass unread: none is lost at the beginning or at the end, and nothing stays open when a side has left.
@Suite("Tunnels and upgraded connections", .serialized, .timeLimit(.minutes(60)))
struct TunnelTests {
    /// How a client comes to a connection that passes bytes.
    enum Way: Sendable, CaseIterable {
        case connect, upgrade

        func request(to port: Int) -> String {
            self == .connect ? TunnelBench.connect(to: port) : TunnelBench.upgrade(to: port)
        }

        /// What the origin says before bytes pass.
        func accept(_ origin: BlockingSocket) {
            guard self == .upgrade else { return }
            _ = origin.receive(until: "\r\n\r\n")
            origin.send(TunnelBench.switching)
        }
    }

    private static let size = 20_000_000

    @Test("a client that reads slowly gets all that the origin had sent before it closed", arguments: Way.allCases)
    func slowClient(_ way: Way) async throws {
        let bench = try await TunnelBench()
        let listener = try BlockingListener()
        let sent = Task {
            try await onThread { () -> Bool in
                guard let origin = listener.accept() else { return false }
                way.accept(origin)
                return origin.send([UInt8](repeating: 0x61, count: Self.size))
            }
        }
        let count = try await onThread { () -> Int? in
            let client = try BlockingSocket.connect(port: bench.port, room: 8_192)
            client.send(way.request(to: listener.port))
            var head: [UInt8] = []
            while head.suffix(4) != [13, 10, 13, 10], let byte = client.receive(one: ()) { head.append(byte) }
            return client.receiveToEnd()?.count
        }
        #expect(try await sent.value)
        #expect(count == Self.size)
    }

    @Test("an origin that reads slowly gets all that the client had sent before it closed", arguments: Way.allCases)
    func slowOrigin(_ way: Way) async throws {
        let bench = try await TunnelBench()
        let listener = try BlockingListener(room: 8_192)
        let received = Task {
            try await onThread { () -> Int? in
                guard let origin = listener.accept() else { return nil }
                way.accept(origin)
                return origin.receiveToEnd()?.count
            }
        }
        try await onThread {
            let client = try BlockingSocket.connect(port: bench.port)
            client.send(way.request(to: listener.port))
            _ = client.receive(until: "\r\n\r\n")
            #expect(client.send([UInt8](repeating: 0x61, count: Self.size)))
        }
        #expect(try await received.value == Self.size)
    }

    @Test("a server that speaks first is heard from its first byte, a hundred times")
    func greeting() async throws {
        let bench = try await TunnelBench()
        let listener = try BlockingListener()
        let (greeting, port) = ("SSH-2.0-server\r\n", bench.port)
        for round in 1...100 {
            let origin = Task {
                try await onThread { () -> BlockingSocket? in
                    let origin = listener.accept()
                    origin?.send(greeting)
                    return origin
                }
            }
            let seen = try await onThread {
                let client = try BlockingSocket.connect(port: port)
                client.send(TunnelBench.connect(to: listener.port))
                return client.receive(until: greeting)
            }
            _ = try await origin.value
            #expect(seen == TunnelBench.established + greeting, "\(round)")
            guard seen.hasSuffix(greeting) else { return }
        }
    }

    @Test("a greeting and a goodbye at once reach the client")
    func greetingAndEnd() async throws {
        let bench = try await TunnelBench()
        let listener = try BlockingListener()
        for _ in 1...20 {
            let origin = Task { try await onThread { listener.accept()?.send("421 full\r\n") } }
            let seen = try await onThread {
                let client = try BlockingSocket.connect(port: bench.port)
                client.send(TunnelBench.connect(to: listener.port))
                return client.receiveToEnd().map { Octets.text($0) }
            }
            _ = try await origin.value
            #expect(seen == TunnelBench.established + "421 full\r\n")
        }
    }

    @Test("an origin that breaks off at once leaves no client waiting")
    func brokenOrigin() async throws {
        let bench = try await TunnelBench()
        let listener = try BlockingListener()
        for round in 1...20 {
            let isOver = try await onThread { () -> Bool in
                let client = try BlockingSocket.connect(port: bench.port)
                client.send(TunnelBench.connect(to: listener.port))
                listener.accept()?.breakOff()
                return client.isEnded()
            }
            #expect(isOver, "\(round)")
            guard isOver else { return }
        }
    }

    @Test("a client that has ended its side gets the answer", arguments: [true, false])
    func halfClosed(waits: Bool) async throws {
        let bench = try await TunnelBench()
        let listener = try BlockingListener()
        let asked = Task {
            try await onThread { () -> String? in
                guard let origin = listener.accept(), let request = origin.receiveToEnd() else { return nil }
                origin.send("answer")
                return Octets.text(request)
            }
        }
        let seen = try await onThread { () -> String? in
            let client = try BlockingSocket.connect(port: bench.port)
            client.send(TunnelBench.connect(to: listener.port) + (waits ? "" : "question"))
            var head = ""
            if waits {
                head = client.receive(until: "\r\n\r\n")
                client.send("question")
            }
            client.endOutput()
            return client.receiveToEnd().map { head + Octets.text($0) }
        }
        #expect(try await asked.value == "question")
        #expect(seen == TunnelBench.established + "answer")
    }

    @Test("an origin that has ended its side gets the rest of what the client sends")
    func halfClosedOrigin() async throws {
        let bench = try await TunnelBench()
        let listener = try BlockingListener()
        let received = Task {
            try await onThread { () -> String? in
                let origin = listener.accept()
                origin?.endOutput()
                return origin?.receiveToEnd().map { Octets.text($0) }
            }
        }
        try await onThread {
            let client = try BlockingSocket.connect(port: bench.port)
            client.send(TunnelBench.connect(to: listener.port))
            #expect(client.receiveToEnd().map { Octets.text($0) } == TunnelBench.established)
            client.send("rest")
        }
        #expect(try await received.value == "rest")
    }

    /// Who asks for an upgrade and leaves at once may not even be dialled for: there it leaves while the answer is
    /// awaited.
    @Test("a client that leaves while the origin is dialled leaves no connection behind", arguments: Way.allCases)
    func leaves(_ way: Way) async throws {
        let bench = try await TunnelBench()
        let listener = try BlockingListener()
        for round in 1...20 {
            let isRefused = try await onThread { () -> Bool? in
                var client: BlockingSocket? = try BlockingSocket.connect(port: bench.port)
                client?.send(way.request(to: listener.port))
                if way == .connect { client = nil }
                guard let origin = listener.accept() else { return nil }
                client = nil
                return origin.receiveToEnd() != nil && origin.isRefused()
            }
            #expect(isRefused == true, "\(round)")
            guard isRefused == true else { return }
        }
    }
}

extension BlockingSocket {
    /// The next byte alone, so that nothing behind it is taken.
    fileprivate func receive(one: Void) -> UInt8? {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, 0) == 1 ? byte : nil
    }
}
