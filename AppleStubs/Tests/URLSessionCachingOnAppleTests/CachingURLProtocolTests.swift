import AppleFoundation
import CacheEngine
import CacheTesting
import Fetching
import Foundation
import HTTPTypes
import Locking
import Testing
import URLSessionOnApple

@testable import URLSessionCachingOnApple

/// The adapter as Apple's loading system drives it; the same files run in a real session on Linux.
@Suite("URLProtocol with a fake loading system", .serialized, .timeLimit(.minutes(60)))
struct CachingURLProtocolTests {
    private let system = FakeLoadingSystem()
    private let clock = ManualClock()

    /// Keeps registrations apart.
    private final class Owner: Sendable {}
    private let owners = LockedBox<[Owner]>([])

    private func task(
        _ request: URLRequest, _ answer: @escaping @Sendable (URLRequest, RequestBody?) async -> LoadAnswer
    ) -> URLSessionDataTask {
        let configuration = URLSessionConfiguration.ephemeral
        register(in: configuration, answer)
        let session = URLSession(configuration: configuration, delegate: nil, delegateQueue: nil)
        let task = session.dataTask(with: request)
        task.resume()
        return task
    }

    private func register(
        in configuration: URLSessionConfiguration,
        _ answer: @escaping @Sendable (URLRequest, RequestBody?) async -> LoadAnswer
    ) {
        let owner = Owner()
        owners.withLock { $0.append(owner) }
        configuration.register(
            owner: ObjectIdentifier(owner), clock: clock.engineClock, isAlive: { [weak owner] in owner != nil },
            answer: answer)
    }

    private func request(_ change: (inout URLRequest) -> Void = { _ in }) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: "https://shop.test/a")))
        change(&request)
        return request
    }

    @Test("response, data and end on the thread that started it, in the mode of its run loop; nothing for URLCache")
    func whole() async throws {
        let task = try task(request()) { _, _ in
            .ready(LoadResponse(head: HTTPResponse(status: .ok), body: .bytes([1, 2])))
        }
        let load = try #require(system.makeProtocol(for: task))
        system.start(load)
        await system.told { $0.isOver }
        system.stop(load)
        #expect(system.told.calls == [.response(200), .data([1, 2]), .finish])
        #expect(system.faults.isEmpty)
    }

    @Test("a redirect is told with the request that follows: method, content and fields as Fetch §4.4 has them")
    func redirects() async throws {
        for (keepsContent, method) in [(false, "GET"), (true, "POST")] {
            let system = FakeLoadingSystem()
            let redirect = LoadRedirect(
                url: "https://other.test/b", method: method,
                removedFields: ["Authorization"] + (keepsContent ? [] : ["Content-Type"]), keepsContent: keepsContent)
            let post = try request {
                $0.httpMethod = "POST"
                $0.httpBodyStream = InputStream(data: Data("text".utf8))
                $0.allHTTPHeaderFields = ["Authorization": "x", "Content-Type": "a/b", "Content-Length": "4"]
            }
            let task = task(post) { _, body in
                _ = try? await ResponseBody.stream(body?.source ?? ScriptedBody([]), length: nil)
                    .collect(upTo: .kibibytes(1))
                return .redirect(
                    redirect,
                    LoadResponse(head: HTTPResponse(status: .found, headerFields: [.location: "/b"]), body: .empty))
            }
            let load = try #require(system.makeProtocol(for: task))
            system.start(load)
            await system.told { !$0.calls.isEmpty }
            guard case .redirect(let next)? = system.told.calls.first else {
                Issue.record("no redirect")
                continue
            }
            #expect(next.url?.absoluteString == "https://other.test/b" && next.httpMethod == method)
            #expect(next.value(forHTTPHeaderField: "Authorization") == nil)
            #expect(next.value(forHTTPHeaderField: "Content-Type") == (keepsContent ? "a/b" : nil))
            #expect(next.value(forHTTPHeaderField: "Content-Length") == (keepsContent ? "4" : nil))
            #expect(next.httpBody == (keepsContent ? Data("text".utf8) : nil) && next.httpBodyStream == nil)
            #expect(system.told.responses.first?.statusCode == 302)
            // The system follows it with another protocol.
            system.stop(load)
            clock.advance(by: .seconds(3_600))
            #expect(system.told.calls.count == 1 && system.faults.isEmpty)
        }
    }

    @Test("a redirect to which the app's delegate says no becomes the response")
    func refusedRedirect() async throws {
        let redirect = LoadRedirect(url: "https://a.test/", method: "GET", removedFields: [], keepsContent: false)
        // However often the clock below is moved on before the load sees it.
        let asked = try request { $0.timeoutInterval = 1_000_000_000 }
        let task = task(asked) { _, _ in
            .redirect(redirect, LoadResponse(head: HTTPResponse(status: .found), body: .bytes([1])))
        }
        let load = try #require(system.makeProtocol(for: task))
        system.start(load)
        await system.told { !$0.calls.isEmpty }
        while !system.told.isOver {
            clock.advance(by: .seconds(1))
            await Task.yield()
        }
        #expect(system.told.calls.dropFirst() == [.response(302), .data([1]), .finish])
        system.stop(load)
    }

    @Test(
        "content behind a redirect that wants it again is sent from memory up to 1 MiB, and fails beyond",
        arguments: [1_048_576, 1_048_577])
    func longContent(_ length: Int) async throws {
        let redirect = LoadRedirect(url: "https://a.test/", method: "PUT", removedFields: [], keepsContent: true)
        let put = try request {
            $0.httpMethod = "PUT"
            $0.httpBodyStream = InputStream(data: Data(count: length))
        }
        let task = task(put) { _, body in
            _ = try? await body.map { ResponseBody.stream($0.source, length: nil) }?.collect(upTo: .mebibytes(2))
            return .redirect(redirect, LoadResponse(head: HTTPResponse(status: .temporaryRedirect), body: .empty))
        }
        let load = try #require(system.makeProtocol(for: task))
        system.start(load)
        await system.told { !$0.calls.isEmpty }
        switch system.told.calls.first {
        case .redirect(let next)?: #expect(length == 1_048_576 && next.httpBody?.count == length)
        case .fail(let code)?: #expect(length > 1_048_576 && code == -1010)
        default: Issue.record("neither")
        }
        system.stop(load)
    }

    @Test("a suspended task gets nothing until it is resumed; one that is cancelled gets nothing more")
    func suspension() async throws {
        let body = ScriptedBody([[1], [2]])
        let task = try task(request()) { _, _ in
            .ready(LoadResponse(head: HTTPResponse(status: .ok), body: .stream(body, length: nil)))
        }
        let load = try #require(system.makeProtocol(for: task))
        system.whenCalled { if case .response = $0 { task.suspend() } }
        system.start(load)
        await system.told { $0.calls.count == 2 }
        try await clock.sleepers(atLeast: 2)
        #expect(body.pulledBytes == 1)
        task.resume()
        clock.advance(by: .milliseconds(100))
        await system.told { $0.isOver }
        #expect(system.told.bytes == [1, 2])
        system.stop(load)
    }

    @Test("the transport's own session never asks a Larder, whatever configuration it is given")
    func recursion() throws {
        let configuration = URLSessionConfiguration.ephemeral
        let kept: AnyClass = URLProtocol.self
        configuration.protocolClasses = [kept]
        register(in: configuration) { _, _ in .failed(EngineError(code: .cancelled, message: "")) }
        #expect(configuration.protocolClasses?.count == 2)
        let used = URLSessionOriginTransport(configuration: configuration).session.configuration
        #expect(used.protocolClasses?.map { ObjectIdentifier($0) } == [ObjectIdentifier(kept)])
        #expect(!used.usesClassicLoadingMode)
        // The caller's own is as it was.
        #expect(configuration.protocolClasses?.count == 2)
        #expect(configuration.usesClassicLoadingMode)
    }

    // MARK: Random orders

    private struct Order: Sendable {
        var pieces: [[UInt8]]
        var isRedirect, answerFails, contentFails: Bool
        var delay: Int
        /// 0: stop, 1: start, 2: suspend, 3: resume, others: wait.
        var steps: [Int]
        var within: (place: Int, step: Int)

        init(_ random: inout SplitMix64) {
            pieces = (0..<Int.random(in: 0...3, using: &random)).map { [UInt8($0), 9] }
            isRedirect = Int.random(in: 0..<5, using: &random) == 0
            answerFails = Int.random(in: 0..<8, using: &random) == 0
            contentFails = Int.random(in: 0..<6, using: &random) == 0
            delay = Int.random(in: 0...3, using: &random)
            steps = (0..<Int.random(in: 0...6, using: &random)).map { _ in Int.random(in: 0..<8, using: &random) }
            within = (Int.random(in: 0..<8, using: &random), Int.random(in: 0..<4, using: &random))
        }
    }

    @Test("starts, stops, suspensions before, during and after each step: nothing is called at a wrong moment or place")
    func anyOrder() async throws {
        var random = SplitMix64(seed: 11)
        let orders = LockedBox<[String: Order]>([:])
        let sources = LockedBox<[String: ScriptedBody]>([:])
        let request = try request()
        // One registration for all: classes stay.
        let template = task(request) { request, _ in
            let name = request.value(forHTTPHeaderField: "X-Order") ?? ""
            guard let order = orders.withLock({ $0[name] }), let source = sources.withLock({ $0[name] }) else {
                return .failed(EngineError(code: .cancelled, message: ""))
            }
            for _ in 0..<order.delay { await Task.yield() }
            if order.answerFails { return .failed(EngineError(code: .disconnected, message: "")) }
            let (head, body) = (HTTPResponse(status: .ok), ResponseBody.stream(source, length: nil))
            let redirect = LoadRedirect(url: "https://a.test/", method: "GET", removedFields: [], keepsContent: false)
            let response = LoadResponse(head: head, body: body)
            return order.isRedirect ? .redirect(redirect, response) : .ready(response)
        }
        for number in 0..<RandomOrders.count {
            let order = Order(&random)
            let source = ScriptedBody(order.pieces, ends: false)
            source.end(throwing: order.contentFails ? CancellationError() : nil)
            orders.withLock { $0 = ["\(number)": order] }
            sources.withLock { $0 = ["\(number)": source] }
            var own = request
            own.setValue("\(number)", forHTTPHeaderField: "X-Order")
            let task = template.session.dataTask(with: own)
            task.resume()
            // Expectations are slow, so only what is wrong is recorded.
            for fault in await play(order, task) { Issue.record("\(fault), order \(number): \(order)") }
        }
    }

    private func play(_ order: Order, _ task: URLSessionDataTask) async -> [String] {
        let system = FakeLoadingSystem()
        guard let load = system.makeProtocol(for: task) else { return ["no protocol"] }
        let calls = LockedBox(0)
        system.whenCalled { _ in
            let place = calls.withLock { calls in
                defer { calls += 1 }
                return calls
            }
            if place == order.within.place { Self.take(order.within.step, system, load, task) }
        }
        system.start(load)
        for step in order.steps {
            if step < 4 { system.thread.run { Self.take(step, system, load, task) } } else { await Task.yield() }
        }
        var turns = 0
        while !system.told.isOver, !system.told.isStopped, turns < 200_000 {
            if task.state == .suspended { task.resume() }
            clock.advance(by: .milliseconds(100))
            await Task.yield()
            turns += 1
        }
        system.stop(load)
        clock.advance(by: .seconds(60))
        system.thread.run {}
        var faults = system.faults
        let (told, content) = (system.told, order.pieces.flatMap { $0 })
        if !content.starts(with: told.bytes) { faults.append("other bytes than the content's") }
        if told.calls.last == .finish, order.contentFails || told.bytes != content {
            faults.append("an end without all bytes")
        }
        if turns == 200_000 { faults.append("a load that was left") }
        return faults
    }

    /// On the system's thread.
    private static func take(_ step: Int, _ system: FakeLoadingSystem, _ load: URLProtocol, _ task: URLSessionTask) {
        switch step {
        case 0: system.stopNow(load)
        case 1: load.startLoading()
        case 2: if task.state == .running { task.suspend() }
        default: if task.state == .suspended { task.resume() }
        }
    }
}
