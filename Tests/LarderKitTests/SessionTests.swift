import CacheEngine
import CacheTesting
import Foundation
import LarderKit
import Locking
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// `URLSession` itself with a Larder registered, without a network: what it gets is what the Larder has.
@Suite("The app's own sessions", .serialized, .timeLimit(.minutes(5)))
struct SessionTests {
    private static let page = "https://shop.example/"
    private static let fresh: HTTPFields = [.cacheControl: "max-age=600", .contentType: "text/plain"]

    /// Counts what a session tells.
    private final class Counter: NSObject, URLSessionDataDelegate {
        let received = LockedBox(0)
        let hasEnded = LockedBox(false)

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            received.withLock { $0 += data.count }
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            hasEnded.withLock { $0 = error == nil }
        }
    }

    private func temporary(_ body: (Larder, ScriptedTransport) async throws -> Void) async throws {
        let directory = try TemporaryDirectory()
        let transport = ScriptedTransport()
        let configuration = LarderConfiguration(directory: URL(fileURLWithPath: directory.store))
        try await body(try Larder(configuration, transport: transport), transport)
    }

    private func session(_ larder: Larder, _ change: (URLSessionConfiguration) -> Void = { _ in }) -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        change(configuration)
        larder.register(in: configuration)
        return URLSession(configuration: configuration)
    }

    private func request(_ path: String = "", _ change: (inout URLRequest) -> Void = { _ in }) -> URLRequest {
        var request = URLRequest(patient: Self.page + path)
        change(&request)
        return request
    }

    private func status(_ response: URLResponse) -> String {
        (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Cache-Status") ?? ""
    }

    private func failure(_ session: URLSession, _ request: URLRequest) async -> URLError.Code? {
        do {
            _ = try await session.data(for: request)
            return nil
        } catch {
            return (error as? URLError)?.code ?? .unknown
        }
    }

    @Test("what a session fetched is a hit for the Larder, and the other way round; a session of the app's own is not")
    func shared() async throws {
        try await temporary { larder, transport in
            for name in ["a", "b"] {
                transport.on(Self.page + name) { _ in ScriptedTransport.answer(200, Self.fresh, body: name) }
            }
            let session = session(larder)
            let (first, response) = try await session.data(for: request("a"))
            #expect(first == Data("a".utf8) && status(response).contains("fwd=uri-miss"))
            #expect((response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Content-Type") == "text/plain")
            let (again, hit) = try await larder.data(for: request("a"))
            #expect(again == first && status(hit).contains("hit"))
            #expect(try await larder.text(Self.page + "b") == "b")
            let (second, other) = try await session.data(for: request("b"))
            #expect(second == Data("b".utf8) && status(other).contains("hit"))
            #expect(transport.requests.count == 2)
        }
    }

    @Test("each session asks its own Larder, for the account of the moment; the last one registered counts")
    func several() async throws {
        try await temporary { first, firstTransport in
            try await temporary { second, secondTransport in
                for (name, transport) in [("first", firstTransport), ("second", secondTransport)] {
                    transport.on(Self.page) { _ in ScriptedTransport.answer(200, Self.fresh, body: name) }
                }
                let both = session(second) { first.register(in: $0) }
                for (session, name) in [(session(first), "first"), (session(second), "second"), (both, "second")] {
                    #expect(try await session.data(for: request()).0 == Data(name.utf8))
                }
                #expect(firstTransport.requests.count == 1 && secondTransport.requests.count == 1)
                first.account = "somebody"
                _ = try await session(first).data(for: request())
                #expect(firstTransport.requests.count == 2)
            }
        }
    }

    @Test("equal configurations share a class, others have their own, and no class outlives its Larder's answers")
    func classes() async throws {
        func type(_ larder: Larder, _ fields: [String: String]) -> ObjectIdentifier? {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpCookieStorage = nil
            configuration.httpAdditionalHeaders = fields
            larder.register(in: configuration)
            larder.register(in: configuration)
            let types = configuration.protocolClasses ?? []
            #expect(types.count == (URLSessionConfiguration.ephemeral.protocolClasses ?? []).count + 1)
            return types.first.map { ObjectIdentifier($0) }
        }
        try await temporary { larder, _ in
            #expect(type(larder, [:]) == type(larder, [:]))
            #expect(type(larder, [:]) != type(larder, ["X-Own": "1"]))
            try await temporary { other, _ in #expect(type(larder, [:]) != type(other, [:])) }
        }
    }

    @Test("a session goes on without its Larder as if nothing were registered")
    func gone() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        try await temporary { larder, _ in larder.register(in: configuration) }
        let type = try #require(configuration.protocolClasses?.first as? URLProtocol.Type)
        #expect(!type.canInit(with: request()))
    }

    @Test(
        "only http and https go through it, and nothing that asks for another protocol",
        arguments: [("http://a.test/", true), ("HTTPS://a.test/", true), ("ws://a.test/", false), ("data:,x", false)])
    func schemes(_ url: String, _ isTaken: Bool) async throws {
        try await temporary { larder, _ in
            let configuration = URLSessionConfiguration.ephemeral
            larder.register(in: configuration)
            let type = try #require(configuration.protocolClasses?.first as? URLProtocol.Type)
            var request = URLRequest(patient: url)
            #expect(type.canInit(with: request) == isTaken)
            request.setValue("websocket", forHTTPHeaderField: "Upgrade")
            #expect(!type.canInit(with: request))
        }
    }

    @Test("a cachePolicy counts, the request's before the configuration's, as in `data(for:)`")
    func policies() async throws {
        try await temporary { larder, transport in
            transport.on(Self.page) { _ in ScriptedTransport.answer(200, Self.fresh, body: "page") }
            let session = session(larder)
            #expect(
                await failure(session, request { $0.cachePolicy = .returnCacheDataDontLoad }) == .resourceUnavailable)
            for (policy, count) in [
                (.useProtocolCachePolicy, 1), (.returnCacheDataElseLoad, 1), (.returnCacheDataDontLoad, 1),
                (.reloadIgnoringLocalCacheData, 2), (.reloadIgnoringLocalAndRemoteCacheData, 3),
                (.reloadRevalidatingCacheData, 4),
            ] as [(URLRequest.CachePolicy, Int)] {
                _ = try await session.data(for: request { $0.cachePolicy = policy })
                #expect(transport.requests.count == count, "\(policy)")
            }
            let reloading = self.session(larder) { $0.requestCachePolicy = .reloadIgnoringLocalCacheData }
            _ = try await reloading.data(for: request())
            #expect(transport.requests.count == 5)
            _ = try await reloading.data(for: request { $0.cachePolicy = .returnCacheDataElseLoad })
            #expect(transport.requests.count == 5)
        }
    }

    @Test("a stale response answers where the server times out or is gone (RFC 9111 §4.2.4), else the error is told")
    func weakNetwork() async throws {
        for (code, told) in [
            (.timedOut, .timedOut), (.connectionFailed, .cannotConnectToHost),
        ] as [(TransportError.Code, URLError.Code)] {
            try await temporary { larder, transport in
                transport.on(Self.page) { _ in throw TransportError(code: code, message: "late") }
                let session = session(larder)
                #expect(await failure(session, request()) == told)
                try await larder.store(
                    Data("old".utf8), for: URL(test: Self.page), fields: [.cacheControl: "max-age=0"])
                let (data, response) = try await session.data(for: request())
                #expect(data == Data("old".utf8) && status(response).contains("hit"), "\(status(response))")
            }
        }
    }

    @Test("content is sent: in memory, and from a stream of any length, with the length that is stated")
    func content() async throws {
        try await temporary { larder, transport in
            let sent = LockedBox<[([UInt8], Int64?)]>([])
            transport.on(Self.page) { request in
                let body = request.body.map { ResponseBody.stream($0.source, length: nil) } ?? .empty
                let content = try await body.collect(upTo: .mebibytes(1))
                sent.withLock { $0.append((content, request.body?.length)) }
                return ScriptedTransport.answer(201, [:], body: "kept")
            }
            let session = session(larder)
            let (_, response) = try await session.data(
                for: request {
                    $0.httpMethod = "POST"
                    $0.httpBody = Data("text".utf8)
                })
            #expect((response as? HTTPURLResponse)?.statusCode == 201)
            let long = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
            for length in [nil, "300000"] {
                _ = try await session.data(
                    for: request {
                        $0.httpMethod = "PUT"
                        $0.httpBodyStream = InputStream(data: long)
                        $0.setValue(length, forHTTPHeaderField: "Content-Length")
                    })
            }
            let seen = sent.withLock { $0 }
            #expect(seen.map(\.1) == [4, nil, 300_000])
            #expect(seen.map(\.0) == [Array("text".utf8), Array(long), Array(long)])
        }
    }

    @Test("coded content arrives decoded, and as it is where the app asks for a coding itself")
    func codings() async throws {
        // "hello" by gzip -9n.
        let gzip: [UInt8] = [
            0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0,
        ]
        try await temporary { larder, transport in
            transport.on(Self.page) { _ in
                ScriptedTransport.answer(200, [.contentEncoding: "gzip", .cacheControl: "max-age=9"], body: gzip)
            }
            let session = session(larder)
            for _ in 0..<2 {
                let (data, response) = try await session.data(for: request())
                #expect(data == Data("hello".utf8))
                #expect((response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Content-Encoding") == nil)
            }
            #expect(transport.requests.count == 1)
            let own = request { $0.setValue("gzip", forHTTPHeaderField: "Accept-Encoding") }
            #expect(try await session.data(for: own).0 == Data(gzip))
            // RFC 9110 §9.2.2: a GET is sent again for content in another coding, a POST is not.
            transport.on(Self.page + "other") { request in
                let isPlain = request.head.headerFields[.acceptEncoding] == "identity"
                return isPlain
                    ? ScriptedTransport.answer(200, [:], body: "plain")
                    : ScriptedTransport.answer(200, [.contentEncoding: "compress"], body: "x")
            }
            #expect(try await session.data(for: request("other")).0 == Data("plain".utf8))
            #expect(await failure(session, request("other") { $0.httpMethod = "POST" }) == .cannotDecodeContentData)
        }
    }

    @Test("cookies are sent and kept as the configuration says; what is stored sets none again")
    func cookies() async throws {
        try await temporary { larder, transport in
            transport.on(Self.page) { _ in
                var fields = Self.fresh
                fields[values: .setCookie] = ["a=1; Expires=Wed, 09 Jun 2100 10:18:14 GMT", "b=2"]
                return ScriptedTransport.answer(200, fields, body: "page")
            }
            func cookies(_ storage: HTTPCookieStorage?) -> [String] {
                (storage?.cookies(for: URL(test: Self.page)) ?? []).map { "\($0.name)=\($0.value)" }.sorted()
            }
            let keeping = session(larder)
            let storage = keeping.configuration.httpCookieStorage
            _ = try await keeping.data(for: request())
            #expect(cookies(storage) == ["a=1", "b=2"])
            for cookie in storage?.cookies ?? [] { storage?.deleteCookie(cookie) }
            _ = try await keeping.data(for: request())
            #expect(transport.requests.count == 1 && cookies(storage).isEmpty)
            for (change, kept, sent) in [
                ({ $0.httpCookieAcceptPolicy = .never }, [], nil), ({ $0.httpCookieStorage = nil }, [], nil),
                ({ $0.httpShouldSetCookies = false }, ["a=1", "b=2"], nil), ({ _ in }, ["a=1", "b=2"], "a=1; b=2"),
            ] as [((URLSessionConfiguration) -> Void, [String], String?)] {
                let session = session(larder, change)
                for _ in 0..<2 {
                    _ = try await session.data(for: request { $0.cachePolicy = .reloadIgnoringLocalCacheData })
                }
                #expect(cookies(session.configuration.httpCookieStorage) == kept)
                let field = transport.requests.last?.head.headerFields[.cookie]
                #expect(field.map { $0.split(separator: "; ").sorted().joined(separator: "; ") } == sent)
            }
        }
    }

    @Test("the configuration's fields are sent, behind those of the request; a 401 is handed up")
    func fields() async throws {
        try await temporary { larder, transport in
            transport.on(Self.page) { _ in
                ScriptedTransport.answer(401, [.wwwAuthenticate: "Bearer"], body: "no")
            }
            let session = session(larder) { $0.httpAdditionalHeaders = ["X-Own": "1", "X-Both": "1"] }
            let (data, response) = try await session.data(
                for: request { $0.setValue("2", forHTTPHeaderField: "X-Both") })
            #expect(data == Data("no".utf8) && (response as? HTTPURLResponse)?.statusCode == 401)
            let sent = transport.requests.last?.head.headerFields
            let (own, both) = (try #require(HTTPField.Name("X-Own")), try #require(HTTPField.Name("X-Both")))
            #expect(sent?[own] == "1" && sent?[both] == "2")
        }
    }

    @Test("errors have the numbers of NSURLErrorDomain, and the reason behind them")
    func errors() async throws {
        try await temporary { larder, transport in
            transport.on(Self.page) { _ in throw TransportError(code: .nameNotResolved, message: "No such host.") }
            let session = session(larder)
            do {
                _ = try await session.data(for: request())
                Issue.record("an answer")
            } catch {
                let error = error as NSError
                #expect(error.domain == NSURLErrorDomain && error.code == URLError.Code.cannotFindHost.rawValue)
                let reason = error.userInfo[NSUnderlyingErrorKey] as? EngineError
                #expect(reason?.code == .originUnreachable)
            }
            larder.connectivityOverride = .disconnected
            #expect(await failure(session, request()) == .notConnectedToInternet)
        }
    }

    @Test("a suspended task gets one more piece at most; it goes on where it was")
    func suspending() async throws {
        try await temporary { larder, transport in
            let body = ScriptedBody()
            transport.on(Self.page) { _ in
                TransportResponse(head: HTTPResponse(status: .ok), body: body, bodyLength: nil)
            }
            let configuration = URLSessionConfiguration.ephemeral
            larder.register(in: configuration)
            let counter = Counter()
            let task = URLSession(configuration: configuration, delegate: counter, delegateQueue: nil)
                .dataTask(with: request())
            task.resume()
            body.send([1])
            while counter.received.withLock({ $0 }) < 1 { await Task.yield() }
            task.suspend()
            // More than the engine reads ahead and hands on as one piece: that one may have been asked for already.
            for _ in 0..<64 { body.send([UInt8](repeating: 2, count: 65_536)) }
            body.end()
            try await body.pulled(atLeast: 2)
            for _ in 0..<1_000 { await Task.yield() }
            #expect(counter.received.withLock { $0 } < 1 + 64 * 65_536)
            task.resume()
            while !counter.hasEnded.withLock({ $0 }) { await Task.yield() }
            #expect(counter.received.withLock { $0 } == 1 + 64 * 65_536)
        }
    }

    @Test("a task that is cancelled while its head or its content is awaited cancels the request to the origin")
    func cancelling() async throws {
        try await temporary { larder, transport in
            let body = ScriptedBody()
            transport.on(Self.page) { _ in
                TransportResponse(head: HTTPResponse(status: .ok), body: body, bodyLength: nil)
            }
            let task = session(larder).dataTask(with: request())
            task.resume()
            try await body.pulls(atLeast: 1)
            task.cancel()
            try await body.cancelled()
        }
    }
}
