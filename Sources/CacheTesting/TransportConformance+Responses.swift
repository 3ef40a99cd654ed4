import CacheEngine
import HTTPTypes

extension TransportConformance {
    struct Outcome {
        var head: HTTPResponse?
        var length: Int64?
        var content: [UInt8] = []
        var trailers: HTTPFields?
        var error: (any Error)?

        var text: String { String(decoding: content, as: UTF8.self) }
        var code: TransportError.Code? { (error as? TransportError)?.code }
    }

    func expect(_ holds: Bool, _ what: String) throws {
        if !holds { throw Violation(what) }
    }

    static func request(
        _ subject: Subject, _ path: String = "/", method: HTTPRequest.Method = .get, fields: HTTPFields = [:],
        body: RequestBody? = nil, timeout: Duration? = nil
    ) -> TransportRequest {
        TransportRequest(
            head: HTTPRequest(
                method: method, scheme: subject.scheme, authority: subject.authority, path: path, headerFields: fields),
            body: body, timeout: timeout)
    }

    static func outcome(_ subject: Subject, _ request: TransportRequest) async -> Outcome {
        var outcome = Outcome()
        do {
            let response = try await subject.transport.send(request)
            outcome.head = response.head
            outcome.length = response.bodyLength
            while let piece = try await response.body.next() {
                if piece.isEmpty { outcome.error = Violation("a piece is empty") }
                outcome.content += piece
            }
            outcome.trailers = response.body.trailers
        } catch {
            outcome.error = error
        }
        return outcome
    }

    private struct Row {
        var method = HTTPRequest.Method.get
        var steps: [OriginStep]
        var status = 200
        var content = ""
        var fields: HTTPFields = [:]
        /// `nil` where it is not looked at.
        var length: Int64??
    }

    /// "hello" in gzip.
    static let gzipped: [UInt8] = [
        0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0,
    ]

    func checkResponse(_ guarantee: Guarantee) async throws {
        let hello = OriginStep.bytes(Array("hello".utf8))
        switch guarantee {
        case .passesOnContentOfStatedLength:
            try await check([Row(steps: [.head(200, [:], .length(5)), hello], content: "hello", length: 5)])
        case .passesOnChunkedContent:
            try await check([
                Row(steps: [.head(200, [:], .chunked), hello, hello], content: "hellohello", length: .some(nil))
            ])
        case .passesOnEmptyContent:
            try await check([
                Row(steps: [.head(200, [:], .length(0))], length: 0), Row(steps: [.head(200, [:], .chunked)]),
            ])
        case .passesOnErrors:
            try await check(
                [400, 401, 403, 404, 410, 416, 421, 429, 500, 502, 503, 504, 599].map {
                    Row(steps: [.head($0, [:], .length(5)), hello], status: $0, content: "hello")
                })
        case .keepsRepeatedFields:
            var fields: HTTPFields = [:]
            fields[values: .cacheControl] = ["max-age=60", "stale-while-revalidate=5"]
            try await check([Row(steps: [.head(200, fields, .length(5)), hello], content: "hello", fields: fields)])
        case .endsAfterTheHeadOfHEAD:
            let fields: HTTPFields = [.contentLength: "500"]
            try await check([Row(method: .head, steps: [.head(200, fields, .empty)], fields: fields)])
        case .endsAfterTheHeadOf204:
            try await check([Row(steps: [.head(204, [:], .empty)], status: 204)])
        case .endsAfterTheHeadOf304:
            let fields: HTTPFields = [.contentLength: "500", .eTag: "\"a\""]
            try await check([Row(steps: [.head(304, fields, .empty)], status: 304, fields: [.eTag: "\"a\""])])
        case .handsRedirectsUp:
            try await check(
                [301, 302, 303, 307, 308].map {
                    Row(
                        steps: [.head($0, [.location: "/elsewhere"], .length(5)), hello], status: $0, content: "hello",
                        fields: [.location: "/elsewhere"])
                })
        case .decodesWhatItSays: try await checkCoding()
        default:
            let bytes: [UInt8] = Array("hello".utf8)
            try await check([
                Row(
                    steps: [.head(200, [.contentEncoding: "x-unheard-of"], .length(5)), .bytes(bytes)],
                    content: "hello", fields: [.contentEncoding: "x-unheard-of"])
            ])
        }
    }

    private func check(_ rows: [Row]) async throws {
        for row in rows {
            let subject = try await makeSubject { _ in row.steps }
            let outcome = await Self.outcome(subject, Self.request(subject, method: row.method))
            try expect(outcome.error == nil, "\(row.status): \(outcome.error.map { "\($0)" } ?? "")")
            try expect(outcome.head?.status.code == row.status, "the status is \(outcome.head?.status.code ?? 0)")
            try expect(outcome.text == row.content, "\(row.status): the content is '\(outcome.text)'")
            if let length = row.length { try expect(outcome.length == length, "the length is \(outcome.length ?? -1)") }
            for name in Set(row.fields.map(\.name)) {
                let (sent, got) = (row.fields[name], outcome.head?.headerFields[name])
                try expect(sent == got, "\(name) is '\(got ?? "")', not '\(sent ?? "")'")
            }
            try expect(subject.received().count == 1, "\(subject.received().count) requests were sent")
        }
    }

    private func checkCoding() async throws {
        let subject = try await makeSubject { _ in
            [
                .head(200, [.contentEncoding: "gzip", .eTag: "\"a\""], .length(Int64(Self.gzipped.count))),
                .bytes(Self.gzipped),
            ]
        }
        let outcome = await Self.outcome(subject, Self.request(subject, fields: [.acceptEncoding: "gzip"]))
        let isDecoded = subject.transport.decodedCodings.contains("gzip")
        try expect(outcome.error == nil, "it failed: \(outcome.error.map { "\($0)" } ?? "")")
        try expect(outcome.content == (isDecoded ? Array("hello".utf8) : Self.gzipped), "it is '\(outcome.text)'")
        try expect(outcome.head?.headerFields[.contentEncoding] == "gzip", "the head says no more how it was coded")
        try expect(outcome.length == (isDecoded ? nil : Int64(Self.gzipped.count)), "it claims a wrong length")
    }

    func checkCookies(_ guarantee: Guarantee) async throws {
        var set: HTTPFields = [:]
        set[values: .setCookie] = ["a=1; Expires=Wed, 21 Oct 2099 07:28:00 GMT; Path=/", "b=2; HttpOnly"]
        let subject = try await makeSubject { [set] _ in [.head(200, set, .length(0))] }
        guard guarantee == .keepsCookiesApartAndForgetsThem else {
            var sent: HTTPFields = [:]
            sent[values: .cookie] = ["a=1", "b=2"]
            _ = await Self.outcome(subject, Self.request(subject, fields: sent))
            let received = subject.received().map { $0.fields.filter { $0.name == .cookie }.map(\.value) }
            // `HTTPFields` splits one line at its semicolons again.
            return try expect(
                received == [["a=1; b=2"]] || received == [["a=1", "b=2"]], "the origin got \(received)")
        }
        for _ in 1...2 {
            let outcome = await Self.outcome(subject, Self.request(subject))
            let lines = outcome.head?.headerFields[values: .setCookie] ?? []
            try expect(lines == set[values: .setCookie], "the lines are \(lines)")
        }
        try expect(subject.received().allSatisfy { !$0.fields.contains(.cookie) }, "a cookie was kept and sent")
    }

    func checkInterim() async throws {
        let seen = WatchedValue<[Int]>([])
        let subject = try await makeSubject { _ in
            [.interim(103, [.location: "/a"]), .interim(102), .head(200, [:], .length(0))]
        }
        var request = Self.request(subject)
        request.onInterim = { interim in seen.update { $0.append(interim.status.code) } }
        let outcome = await Self.outcome(subject, request)
        try expect(outcome.head?.status == .ok, "the final response is missing")
        try expect(seen.value == [103, 102], "the interim responses were \(seen.value)")
    }

    func checkTrailers() async throws {
        var trailers = HTTPFields()
        if let name = HTTPField.Name("X-Sum") { trailers[name] = "42" }
        let subject = try await makeSubject { [trailers] _ in
            [.head(200, [:], .chunked), .bytes(Array("hello".utf8)), .trailers(trailers)]
        }
        let outcome = await Self.outcome(subject, Self.request(subject))
        try expect(outcome.text == "hello", "the content is '\(outcome.text)'")
        try expect(outcome.trailers == trailers, "the trailers are \(outcome.trailers.map { "\($0)" } ?? "none")")
        try expect(
            outcome.head?.headerFields.contains { trailers.contains($0.name) } == false, "a trailer is among the fields"
        )
    }

    func checkSeveral() async throws {
        let subject = try await makeSubject { request in
            [.head(200, [:], .length(Int64(request.target.utf8.count))), .bytes(Array(request.target.utf8))]
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    let outcome = await Self.outcome(subject, Self.request(subject, "/\(number)"))
                    try self.expect(outcome.text == "/\(number)", "/\(number) got '\(outcome.text)'")
                }
            }
            try await group.waitForAll()
        }
    }
}
