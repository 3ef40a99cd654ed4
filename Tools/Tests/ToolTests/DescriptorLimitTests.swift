import CacheTesting
import ChildPrograms
import Foundation
import Locking
import Testing
import WireSupport

/// `larder proxy` with few descriptors.
@Suite("a process that may open few files", .serialized, .timeLimit(.minutes(60)))
struct DescriptorLimitTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func proxy(_ limit: Int, _ arguments: [String]) throws -> (RunningProxy, port: Int) {
        let proxy = try RunningProxy(
            ["--store", folder.store, "--no-auth"] + arguments,
            by: ["/bin/sh", "-c", #"ulimit -n "$1"; shift; exec "$@""#, "sh", "\(limit)", ToolProcess.larder])
        return (proxy, Int(proxy.address.split(separator: ":").last ?? "") ?? 0)
    }

    private static func request(
        _ host: String, path: String = "/", more: String = "Connection: close\r\n"
    ) -> String {
        "GET http://\(host)\(path) HTTP/1.1\r\nHost: \(host)\r\n\(more)\r\n"
    }

    /// Lets requests of a host pass when all of them are there, or will never come.
    private final class Rendezvous: Sendable {
        private let gates = LockedBox<[String: (Latch, Int)]>([:])
        private let size: Int

        init(_ size: Int) {
            self.size = size
        }

        /// - Returns: The gate at which those of the host wait.
        @discardableResult
        func arrive(_ host: String) -> Latch {
            gates.withLock { gates in
                var (gate, count) = gates[host] ?? (Latch(), 0)
                count += 1
                if count >= size { gate.open() }
                gates[host] = (gate, count)
                return gate
            }
        }
    }

    @Test("sixty hosts, six requests at once to each: every one is answered, however few connections can stay")
    func manyHosts() async throws {
        let rendezvous = Rendezvous(6)
        let origin = try await PageOrigin.start { request in
            await rendezvous.arrive(request.host).pass()
            return PageOrigin.Answer(fields: ["Cache-Control": "no-store"], body: "of \(request.host)")
        }
        let hosts = (1...60).map { "h\($0).test" }
        let (proxy, port) = try proxy(256, hosts.flatMap { ["--resolve", "\($0):80:127.0.0.1:\(origin.port)"] })
        var failures: [String] = []
        for host in hosts {
            failures += try await withThrowingTaskGroup(of: String?.self) { group in
                // Of one URL they would share an answer.
                for number in 1...6 {
                    group.addTask {
                        let text = try await WireClient.exchange(Self.request(host, path: "/\(number)"), port: port)
                        if text.hasPrefix("HTTP/1.1 200"), text.contains("of \(host)") { return nil }
                        rendezvous.arrive(host)
                        return "\(host): \(text.prefix(200))"
                    }
                }
                var all: [String] = []
                while let failure = try await group.next() { if let failure { all.append(failure) } }
                return all
            }
        }
        #expect(failures.isEmpty, "\(failures.count) of 360: \(failures.first ?? "")")
        proxy.stop()
        await origin.stop()
    }

    @Test("more clients than can be had at once: those who are in are served, and later all others")
    func manyClients() async throws {
        let origin = try await PageOrigin.start { request in
            PageOrigin.Answer(fields: ["Cache-Control": "no-store"], body: "of \(request.host) END")
        }
        let hosts = (1...20).map { "h\($0).test" }
        let (proxy, port) = try proxy(128, hosts.flatMap { ["--resolve", "\($0):80:127.0.0.1:\(origin.port)"] })
        let first = try await WireClient.open(port: port)
        first.send(Self.request("h1.test", more: ""))
        #expect(try await first.read(until: "END").contains("of h1.test"))
        var others: [WireClient] = []
        for _ in 1...150 { others.append(try await WireClient.open(port: port)) }
        // Each of these needs a connection of its own.
        for host in hosts.dropFirst() {
            first.send(Self.request(host, more: ""))
            #expect(try await first.read(until: "of \(host) END").contains("of \(host) END"))
        }
        for (number, other) in others.enumerated() {
            let host = hosts[number % hosts.count]
            other.send(Self.request(host))
            if number == others.count - 1 { try await first.close() }
        }
        for other in others { #expect(try await other.readToEnd().hasPrefix("HTTP/1.1 200")) }
        proxy.stop()
        await origin.stop()
    }
}
