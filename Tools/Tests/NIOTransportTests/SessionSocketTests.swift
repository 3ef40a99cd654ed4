import CacheTesting
import Foundation
import LarderKit
import Locking
import Testing
import URLSessionTransport
import WireSupport

/// `URLSession` with a Larder registered, from sockets, over each network that a Larder can have here.
@Suite("The app's own sessions from sockets", .serialized, .timeLimit(.minutes(10)))
struct SessionSocketTests {
    private enum Network: CaseIterable {
        case nio, urlSession
    }

    /// Collects what a session tells.
    private final class Delegate: NSObject, URLSessionDataDelegate {
        let received = LockedBox<Int64>(0)
        let status = LockedBox(0)
        let end = LockedBox<Result<Void, any Error>?>(nil)

        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
            completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) {
            status.withLock { $0 = (response as? HTTPURLResponse)?.statusCode ?? 0 }
            completionHandler(.allow)
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            received.withLock { $0 += Int64(data.count) }
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            end.withLock { $0 = error.map { .failure($0) } ?? .success(()) }
        }

        func ended() async {
            while end.withLock({ $0 == nil }) { await Task.yield() }
        }
    }

    private func serve(
        _ network: Network, _ script: @escaping TransportConformance.Script,
        _ body: (Larder, StepOrigin, URL) async throws -> Void
    ) async throws {
        let origin = try await StepOrigin.start(script)
        let directory = try TemporaryDirectory()
        let configuration = LarderConfiguration(directory: URL(fileURLWithPath: directory.store))
        let larder =
            switch network {
            case .nio: try Larder(configuration)
            case .urlSession: try Larder(configuration, transport: URLSessionOriginTransport())
            }
        try await body(larder, origin, try #require(URL(string: "http://127.0.0.1:\(origin.port)/a")))
    }

    private func session(_ larder: Larder, _ delegate: Delegate? = nil) -> URLSession {
        let configuration = URLSessionConfiguration.default
        larder.register(in: configuration)
        return URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    private static func status(_ response: URLResponse) -> String {
        (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Cache-Status") ?? ""
    }

    @Test("two clients, one store: what either has fetched is a hit for the other", arguments: Network.allCases)
    private func shared(_ network: Network) async throws {
        try await serve(network) { _ in
            [.head(200, [.cacheControl: "max-age=600"], .length(5)), .bytes(Array("hello".utf8))]
        } _: { larder, origin, url in
            let session = session(larder)
            let other = try #require(URL(string: "/b", relativeTo: url)?.absoluteURL)
            let (first, missed) = try await session.data(from: url)
            #expect(first == Data("hello".utf8) && Self.status(missed).contains("uri-miss"))
            let (again, hit) = try await larder.data(from: url)
            #expect(again == first && Self.status(hit).contains("hit"))
            _ = try await larder.data(from: other)
            let (second, alsoHit) = try await session.data(from: other)
            #expect(second == first && Self.status(alsoHit).contains("hit"))
            #expect(origin.received.map(\.target) == ["/a", "/b"])
        }
    }

    @Test(
        "an upload from a stream reaches the origin whole, with and without a stated length",
        arguments: [nil, "300000"])
    func uploads(_ length: String?) async throws {
        let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
        try await serve(.nio) { _ in
            [.head(201, [:], .length(0))]
        } _: { larder, origin, url in
            var request = URLRequest(url: url)
            request.httpMethod = "POST"
            request.httpBodyStream = InputStream(data: Data(content))
            request.setValue(length, forHTTPHeaderField: "Content-Length")
            let (_, response) = try await session(larder).data(for: request)
            #expect((response as? HTTPURLResponse)?.statusCode == 201)
            #expect(origin.received.first?.content == content)
            #expect(origin.received.first?.fields[.contentLength] == length)
        }
    }

    // Over SwiftNIO alone: a task of Foundation's own HTTP on Linux does not go on (FoundationFaults+Linux.swift).
    @Test("a task that was suspended goes on where it was")
    func suspended() async throws {
        let length: Int64 = 16 << 20
        try await serve(.nio) { _ in
            [.head(200, [.cacheControl: "no-store"], .length(length)), .zeros(length)]
        } _: { larder, _, url in
            let delegate = Delegate()
            let task = session(larder, delegate).dataTask(with: url)
            task.resume()
            while delegate.received.withLock({ $0 }) == 0 { await Task.yield() }
            task.suspend()
            task.resume()
            await delegate.ended()
            #expect(delegate.received.withLock { $0 } == length)
            #expect((try? delegate.end.withLock { $0 }?.get()) != nil)
        }
    }

    @Test("a task that is cancelled before its content is complete ends with that")
    func cancelled() async throws {
        try await serve(.nio) { _ in
            [.head(200, [:], .length(10)), .bytes(Array("hello".utf8)), .silence]
        } _: { larder, _, url in
            let delegate = Delegate()
            let task = session(larder, delegate).dataTask(with: url)
            task.resume()
            while delegate.received.withLock({ $0 }) == 0 { await Task.yield() }
            task.cancel()
            await delegate.ended()
            guard case .failure(let error)? = delegate.end.withLock({ $0 }) else {
                Issue.record("no error")
                return
            }
            #expect((error as? URLError)?.code == .cancelled)
        }
    }

    @Test("content that breaks off is an error, behind what has come")
    func broken() async throws {
        try await serve(.nio) { _ in
            [.head(200, [:], .length(10)), .bytes(Array("hello".utf8)), .breakOff]
        } _: { larder, _, url in
            let delegate = Delegate()
            session(larder, delegate).dataTask(with: url).resume()
            await delegate.ended()
            guard case .failure(let error)? = delegate.end.withLock({ $0 }) else {
                Issue.record("no error")
                return
            }
            #expect((error as NSError).code == URLError.Code.networkConnectionLost.rawValue)
            #expect(delegate.received.withLock { $0 } == 5)
        }
    }

    @Test("Foundation on Linux gets a redirect as the response")
    func redirects() async throws {
        try await serve(.nio) { _ in
            [.head(302, [.location: "/b"], .length(0))]
        } _: { larder, origin, url in
            let (_, response) = try await session(larder).data(from: url)
            #expect((response as? HTTPURLResponse)?.statusCode == 302)
            #expect(origin.received.count == 1)
        }
    }
}
