import CacheEngine
import CacheTesting
import HTTPTypes
import NIOPosix
import NIOTransport
import OriginDialing
import Testing
import WireSupport

/// The same exchanges over HTTP/1.1 and HTTP/2, and all that is seen of them on both sides.
@Suite("HTTP/1.1 and HTTP/2 look the same", .serialized, .timeLimit(.minutes(60)))
struct VersionDifferenceTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var says: String
        var method = HTTPRequest.Method.get
        var path = "/"
        var fields: HTTPFields = [:]
        var body: [String]?
        var statesLength = true
        var steps: [OriginStep]
        var testDescription: String { says }
    }

    /// All that is seen.
    struct Sight: Equatable {
        var interim: [String] = []
        var status: Int?
        var fields: [String] = []
        var length: Int64?
        var content: [UInt8] = []
        var trailers: HTTPFields?
        var failure: TransportError.Code?
        var message: String?
        var received: [String] = []
    }

    private static let hello = OriginStep.bytes(Array("hello".utf8))
    private static let tags: HTTPFields = [.eTag: "\"a\"", .cacheControl: "max-age=60"]
    private static let million = [UInt8](repeating: 0x61, count: 1_048_576)
    private static var repeated: HTTPFields {
        var fields: HTTPFields = [.vary: "Accept"]
        fields[values: .setCookie] = ["a=1", "b=2"]
        fields.append(HTTPField(name: .vary, value: "Origin"))
        return fields
    }
    private static var sum: HTTPFields {
        var fields = HTTPFields()
        for name in ["X-Sum", "Content-Length", "Set-Cookie"] {
            if let name = HTTPField.Name(name) { fields[name] = "1" }
        }
        return fields
    }

    static let answers: [Row] = [
        Row(says: "no content", steps: [.head(200, tags, .length(0))]),
        Row(says: "one octet", steps: [.head(200, tags, .length(1)), .bytes([7])]),
        Row(says: "a mebibyte", steps: [.head(200, tags, .length(1_048_576)), .bytes(million)]),
        Row(says: "a mebibyte of unstated length", steps: [.head(200, tags, .chunked), .bytes(million)]),
        Row(says: "lines of a field", steps: [.head(200, repeated, .length(5)), hello]),
        Row(says: "404", steps: [.head(404, [:], .length(5)), hello]),
        Row(says: "302", steps: [.head(302, [.location: "/there"], .length(0))]),
        Row(says: "HEAD", method: .head, steps: [.head(200, [.contentLength: "500"], .empty)]),
        Row(says: "204", steps: [.head(204, tags, .empty)]),
        Row(says: "304", steps: [.head(304, [.contentLength: "500", .eTag: "\"a\""], .empty)]),
        Row(says: "103", steps: [.interim(103, [.location: "/a"]), .head(200, tags, .length(5)), hello]),
        Row(says: "trailers", steps: [.head(200, [:], .chunked), hello, .trailers(sum)]),
        Row(says: "cut off", steps: [.head(200, [:], .length(50)), hello, .breakOff]),
        Row(says: "no answer", steps: [.breakOff]),
        Row(says: "407, which only a proxy may say", steps: [.head(407, [:], .length(0))]),
        Row(
            says: "interim responses without end",
            steps: (0...TransportRequest.interimLimit).map { _ in .interim(103) }),
    ]

    static let requests: [Row] = [
        Row(says: "a query", path: "/a%20b?c=d", fields: [.accept: "*/*"], steps: [.head(200, [:], .length(0))]),
        Row(
            says: "fields of a connection", fields: [.te: "trailers, gzip", .userAgent: "x"],
            steps: [.head(200, [:], .length(0))]),
        Row(says: "cookies", fields: [.cookie: "a=1; b=2"], steps: [.head(200, [:], .length(0))]),
        Row(says: "a form", method: .post, body: ["a=", "b"], steps: [.head(200, [:], .length(5)), hello]),
        Row(says: "a form of no length", method: .post, body: [], steps: [.head(200, [:], .length(5)), hello]),
        Row(
            says: "content of unstated length", method: .put, body: ["a", "b"], statesLength: false,
            steps: [.head(201, [:], .length(0))]),
        Row(says: "POST without content", method: .post, steps: [.head(200, [:], .length(0))]),
        Row(
            says: "an early answer", method: .post, path: "/early", body: [String(repeating: "a", count: 200_000)],
            steps: [.head(413, [:], .length(5)), hello]),
    ]

    @Test("answers", arguments: answers)
    func answer(_ row: Row) async throws { try await compare(row) }

    @Test("requests", arguments: requests)
    func request(_ row: Row) async throws { try await compare(row) }

    private func compare(_ row: Row) async throws {
        let old = try await StepOrigin.start { _ in row.steps }
        let new = try await StepOrigin.startHTTP2 { _ in row.steps }
        let dialer = OriginDialer(
            group: MultiThreadedEventLoopGroup.singleton,
            hostMap: try HostMap(["shop.test:80:127.0.0.1:\(old.port)"]), trust: try OriginTrust())
        let first = await sight(of: row, "http", NIOOriginTransport(dialer: dialer), old)
        let second = await sight(of: row, "https", NIOOriginTransport(dialer: try SecureOrigin.dialer(new.port)), new)
        #expect(first == second)
    }

    private func sight(
        of row: Row, _ scheme: String, _ transport: NIOOriginTransport, _ origin: StepOrigin
    ) async -> Sight {
        let seen = WatchedValue<[String]>([])
        let body = row.body.map { pieces in
            RequestBody(
                ScriptedBody(pieces.map { Array($0.utf8) }),
                length: row.statesLength ? Int64(pieces.joined().utf8.count) : nil)
        }
        let request = TransportRequest(
            head: HTTPRequest(
                method: row.method, scheme: scheme, authority: "shop.test", path: row.path,
                headerFields: row.fields), body: body
        ) { interim in seen.update { $0.append("\(interim.status.code) \(Self.lines(interim.headerFields))") } }
        var sight = Sight()
        do {
            let response = try await transport.send(request)
            sight.status = response.head.status.code
            sight.fields = Self.lines(response.head.headerFields)
            sight.length = response.bodyLength
            while let piece = try await response.body.next() { sight.content += piece }
            sight.trailers = response.body.trailers
        } catch {
            sight.failure = (error as? TransportError)?.code
            let message = (error as? TransportError)?.message ?? "\(error)"
            sight.message = message.replacing(":80", with: "").replacing(":443", with: "")
        }
        sight.interim = seen.value
        sight.received = origin.received.map { request in
            let fields = request.fields.filter { !["host", "te", "transfer-encoding"].contains($0.name.canonicalName) }
            // How much of the content has come by an early answer is chance.
            let content = row.path == "/early" ? 0 : request.content.count
            return "\(request.method) \(request.target) \(Self.lines(fields)) \(content)"
        }
        return sight
    }

    private static func lines(_ fields: some Sequence<HTTPField>) -> [String] {
        fields.filter { $0.name.canonicalName != "transfer-encoding" }
            .map { "\($0.name.canonicalName): \($0.value)" }.sorted()
    }
}
