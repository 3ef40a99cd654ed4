import NIOCore
import Testing

@testable import DemoSite

@Suite("The sample site's origin over plain HTTP", .timeLimit(.minutes(60)))
struct DemoOriginTests {
    /// An origin that is stopped when the body has run, however it ends.
    private func withOrigin(
        shaping: Shaping = .none, _ body: (DemoOrigin, Int) async throws -> Void
    ) async throws {
        let origin = DemoOrigin(site: try DemoSite.build(version: 1), shaping: shaping, now: { 784_111_777 })
        let port = try await origin.start()
        do { try await body(origin, port) } catch {
            await origin.stop()
            throw error
        }
        await origin.stop()
    }

    @Test("every file is served with its fields, bytes, length and date")
    func files() async throws {
        try await withOrigin { origin, port in
            for file in origin.site.files {
                let answer = try await SocketClient.send("GET", file.path, host: file.host, port: port)
                #expect(answer.status == file.status, "\(file.path)")
                #expect(answer.body == file.bytes, "\(file.path)")
                #expect(answer.fields["content-length"] == String(file.bytes.count))
                #expect(answer.fields["date"] == "Sun, 06 Nov 1994 08:49:37 GMT")
                for (name, value) in file.fields { #expect(answer.fields[name.lowercased()] == value, "\(file.path)") }
            }
            await logged(origin.site.files.count, by: origin)
            #expect(origin.log.connections == origin.site.files.count)
            #expect(origin.log.bodyBytesSent == origin.site.files.reduce(0) { $0 + $1.bytes.count })
        }
    }

    @Test("HEAD has the fields of GET and no body; RFC 9110 §9.3.2")
    func head() async throws {
        try await withOrigin { origin, port in
            let get = try await SocketClient.send("GET", "/", port: port)
            let head = try await SocketClient.send("HEAD", "/", port: port)
            #expect(head.fields == get.fields)
            #expect(head.body.isEmpty)
        }
    }

    @Test("304, 206, 416, 404, 405 and 421 where they belong")
    func statuses() async throws {
        try await withOrigin { origin, port in
            let film = try #require(origin.site.file(host: "cdn.shop-assets.test", path: Artwork.filmStem + ".mov"))
            func status(_ fields: [String: String]) async throws -> SocketClient.Answer {
                try await SocketClient.send("GET", film.path, host: film.host, fields: fields, port: port)
            }
            let tag = try #require(film.entityTag)
            let fresh = try await status(["If-None-Match": tag])
            #expect(fresh.status == 304 && fresh.body.isEmpty && fresh.fields["etag"] == tag)
            let part = try await status(["Range": "bytes=10-19"])
            #expect(part.status == 206 && part.body == Array(film.bytes[10..<20]))
            #expect(part.fields["content-range"] == "bytes 10-19/\(film.bytes.count)")
            #expect(part.fields["content-length"] == "10")
            let beyond = try await status(["Range": "bytes=\(film.bytes.count)-"])
            #expect(beyond.status == 416 && beyond.fields["content-range"] == "bytes */\(film.bytes.count)")
            #expect(try await status(["Range": "bytes=0-1", "If-Range": "\"old\""]).status == 200)
            #expect(try await SocketClient.send("GET", "/nothing", port: port).status == 404)
            #expect(try await SocketClient.send("DELETE", "/", port: port).status == 405)
            #expect(try await SocketClient.send("GET", "/", host: "other.test", port: port).status == 421)
            while !origin.log.requests.contains(where: \.isConditional) { await Task.yield() }
            #expect(origin.log.requests.count { $0.isConditional } == 1)
        }
    }

    @Test("a preflight for a range of a CDN file is granted, and one for a page is not")
    func preflight() async throws {
        try await withOrigin { origin, port in
            let fields = ["Origin": "https://shop.test", "Access-Control-Request-Method": "GET"]
            func ask(_ path: String, _ host: String) async throws -> SocketClient.Answer {
                try await SocketClient.send("OPTIONS", path, host: host, fields: fields, port: port)
            }
            let granted = try await ask(Artwork.filmStem + ".mov", origin.site.hosts.cdn)
            #expect(granted.status == 204 && granted.fields["access-control-allow-headers"] == "Range")
            let refused = try await ask("/", origin.site.hosts.shop)
            #expect(refused.status == 204 && refused.fields["access-control-allow-origin"] == nil)
        }
    }

    @Test("the API counts its answers, so that a reused one would show")
    func counter() async throws {
        try await withOrigin { _, port in
            let first = try await SocketClient.send("GET", "/api/basket", port: port)
            let second = try await SocketClient.send("GET", "/api/basket?again", port: port)
            #expect(first.text == "{\"items\":3,\"version\":1,\"served\":1}")
            #expect(second.text == "{\"items\":3,\"version\":1,\"served\":2}")
            #expect(first.fields["cache-control"] == "no-store")
        }
    }

    @Test("an upload's file comes back as length and digest")
    func upload() async throws {
        try await withOrigin { origin, port in
            let file = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
            let body = UploadDigestTests.form(file)
            let fields = ["Content-Type": "multipart/form-data; boundary=bound"]
            let answer = try await SocketClient.send("POST", "/upload", fields: fields, body: body, port: port)
            let sum = HexDigest.sha256(file)
            #expect(answer.text == "{\"bytes\":\(file.count),\"sha256\":\"\(sum)\",\"parts\":2}")
            await logged(1, by: origin)
            #expect(origin.log.requests.last?.bodyBytesReceived == body.count)
            let broken = Array(body.dropLast(12))
            #expect(
                try await SocketClient.send("POST", "/upload", fields: fields, body: broken, port: port).status == 400)
        }
    }

    @Test("requests sent ahead on one connection are answered in order; RFC 9112 §9.3.2")
    func keepAlive() async throws {
        try await withOrigin { origin, port in
            let requests = ["/static/theme.css", "/static/logo.svg", "/api/basket"].enumerated().map { index, path in
                "GET \(path) HTTP/1.1\r\nHost: SHOP.test:443\r\n\(index == 2 ? "Connection: close\r\n" : "")\r\n"
            }
            let bytes = try await SocketClient.exchange(Array(requests.joined().utf8), port: port)
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.components(of: "HTTP/1.1 200 OK") == 3)
            #expect(text.hasSuffix("\"served\":1}"))
            #expect(origin.log.connections == 1)
            await logged(3, by: origin)
            #expect(origin.log.requests.map(\.path) == ["/static/theme.css", "/static/logo.svg", "/api/basket"])
        }
    }

    @Test("a deploy changes pages at once and leaves the earlier hashed files, unless told otherwise")
    func deploy() async throws {
        try await withOrigin { origin, port in
            let entry = try #require(origin.site.hashedFiles.first { $0.chunk == "app.js" })
            let two = try DemoSite.build(version: 2)
            origin.deploy(two)
            #expect(try await SocketClient.send("GET", "/", port: port).text.contains("data-version=\"2\""))
            #expect(try await SocketClient.send("GET", entry.path, host: entry.host, port: port).status == 200)
            origin.deploy(two, keepingEarlierAssets: false)
            #expect(try await SocketClient.send("GET", entry.path, host: entry.host, port: port).status == 404)
        }
    }

    /// Returns once so many requests are in the log: the last one is noted when its connection is done with it, and a
    /// client may know its end before.
    private func logged(_ count: Int, by origin: DemoOrigin) async {
        while origin.log.requests.count < count { await Task.yield() }
    }

    @Test("a fault breaks a body off, as often as it was told to", .timeLimit(.minutes(60)))
    func fault() async throws {
        try await withOrigin { origin, port in
            origin.setFault(.closeMidBody(after: 1_000, times: 1), path: "/img/tomato.png")
            let host = origin.site.hosts.cdn
            let broken = try await SocketClient.send("GET", "/img/tomato.png", host: host, port: port)
            #expect(broken.body.count == 1_000)
            await logged(1, by: origin)
            #expect(origin.log.requests.last?.isComplete == false)
            let whole = try await SocketClient.send("GET", "/img/tomato.png", host: host, port: port)
            #expect(whole.body.count == Int(whole.fields["content-length"] ?? ""))
        }
    }

    /// On a port that the system gives to nobody who asks for any free one (ip_local_port_range in tcp(7)), as other
    /// tests do.
    private func startBelowTheSystemsPorts(_ origin: DemoOrigin) async throws -> Int {
        var failure: any Error = DemoSiteError(.cannotListen, "No port was tried.")
        for _ in 0..<100 {
            do { return try await origin.start(port: .random(in: 20_000..<32_000)) } catch { failure = error }
        }
        throw failure
    }

    @Test("after a stop nothing listens, and the same port can be opened again")
    func restart() async throws {
        let origin = DemoOrigin(site: try DemoSite.build(version: 1))
        let port = try await startBelowTheSystemsPorts(origin)
        _ = try await SocketClient.send("GET", "/", port: port)
        await origin.stop()
        await #expect(throws: (any Error).self) { try await SocketClient.send("GET", "/", port: port) }
        #expect(try await origin.start(port: port) == port)
        await #expect(throws: DemoSiteError.self) { try await origin.start() }
        #expect(try await SocketClient.send("GET", "/", port: port).status == 200)
        await logged(2, by: origin)
        origin.log.reset()
        #expect(origin.log.requests.isEmpty)
        await origin.stop()
    }

    @Test("shaping makes an answer take its round trips and its share of the line, at least")
    func shaping() async throws {
        let shaping = Shaping(roundTrip: .milliseconds(20), downBitsPerSecond: 8_000_000, upBitsPerSecond: 8_000_000)
        try await withOrigin(shaping: shaping) { origin, port in
            let file = try #require(origin.site.file(host: origin.site.hosts.cdn, path: "/img/tomato.png"))
            let start = ContinuousClock.now
            let answer = try await SocketClient.send("GET", file.path, host: file.host, port: port)
            let needed = Duration.milliseconds(40) + .microseconds(file.bytes.count)
            #expect(ContinuousClock.now - start >= needed)
            #expect(answer.body == file.bytes)
        }
    }

    @Test("answers too small to keep a fast line busy are finished as well")
    func smallAnswers() async throws {
        try await withOrigin(shaping: Shaping(roundTrip: .zero, downBitsPerSecond: 10_000_000_000)) { origin, port in
            for _ in 0..<20 { _ = try await SocketClient.send("GET", "/old-home", port: port) }
            await logged(20, by: origin)
            #expect(origin.log.requests.count { $0.isComplete } == 20)
        }
    }

    @Test("a line is shared: reservations follow each other")
    func bandwidth() {
        let line = Bandwidth(bitsPerSecond: 8_000)
        let now = NIODeadline.uptimeNanoseconds(1_000_000_000)
        #expect(line.reserve(bytes: 500, now: now) == now + .milliseconds(500))
        #expect(line.reserve(bytes: 500, now: now) == now + .seconds(1))
        #expect(line.reserve(bytes: 100, now: now + .seconds(5)) == now + .milliseconds(5_100))
        #expect(Bandwidth(bitsPerSecond: nil).reserve(bytes: 1, now: now) == nil)
    }

    @Test("a bad certificate is named as such")
    func certificate() async throws {
        let origin = DemoOrigin(site: try DemoSite.build(version: 1))
        do {
            try await origin.start(certificate: OriginCertificate(chainPEM: "no", privateKeyPEM: "no"))
            Issue.record("the start should have failed")
        } catch {
            #expect(error.code == .unusableCertificate)
        }
    }
}

extension String {
    fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
