import AppleFoundation
import CacheEngine
import HTTPTypes
import Locking
import Security
import Testing

@testable import URLSessionOnApple

@Suite("Challenges of servers and proxies", .timeLimit(.minutes(10)))
struct ChallengeTests {
    private func answers(_ transport: () -> URLSessionOriginTransport) async throws -> [URLSession
        .AuthChallengeDisposition]
    {
        let started = LockedBox<URLSessionTask?>(nil)
        let transport = URLSession.$simulation.withValue(.init { task in started.withLock { $0 = task } }) {
            transport()
        }
        let head = HTTPRequest(method: .get, scheme: "https", authority: "shop.test", path: "/")
        let exchange = Task { try await transport.send(TransportRequest(head: head)) }
        while started.withLock({ $0 }) == nil { await Task.yield() }
        let task = try #require(started.withLock { $0 })
        let given = LockedBox<[URLSession.AuthChallengeDisposition]>([])
        for method in [NSURLAuthenticationMethodServerTrust, "NSURLAuthenticationMethodClientCertificate"] {
            nonisolated(unsafe) let challenge = URLAuthenticationChallenge(
                simulating: URLProtectionSpace(simulating: "shop.test", method: method, trust: SecTrust(simulating: []))
            )
            _ = task.session.tellNow { delegate in
                delegate.urlSession(task.session, task: task, didReceive: challenge) { disposition, _ in
                    given.withLock { $0.append(disposition) }
                }
            }
        }
        exchange.cancel()
        _ = task.session.tellNow { delegate in
            _ = task.end()
            delegate.urlSession(task.session, task: task, didCompleteWithError: URLError(.cancelled))
        }
        _ = await exchange.result
        return given.withLock { $0 }
    }

    @Test("without an app that answers, the system decides")
    func system() async throws {
        #expect(
            try await answers { URLSessionOriginTransport() } == [.performDefaultHandling, .performDefaultHandling])
    }

    @Test("an app is asked about each challenge and answers it once")
    func app() async throws {
        let hosts = LockedBox<[String]>([])
        let given = try await answers {
            URLSessionOriginTransport { challenge, answer in
                hosts.withLock { $0.append(challenge.protectionSpace.host) }
                let isTrust = challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust
                answer(isTrust ? .cancelAuthenticationChallenge : .performDefaultHandling, nil)
            }
        }
        #expect(given == [.cancelAuthenticationChallenge, .performDefaultHandling])
        #expect(hosts.withLock { $0 } == ["shop.test", "shop.test"])
    }
}
