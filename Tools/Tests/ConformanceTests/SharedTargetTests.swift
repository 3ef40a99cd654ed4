import CacheEngine
import HTTPCacheSemantics
import Testing

/// Many requests for one target at once: RFC 9111 §4 lets a cache make one of them, "provided that it is allowed to
/// reuse that response for the requests in question".
@Suite("Requests for one target at once", .serialized)
struct SharedTargetTests {
    /// Whose answer a client may get.
    enum Share: Sendable {
        /// The answer to anybody's request.
        case any
        /// The answer to a request with the same `X-A`.
        case sameVariant
        /// The answer to its own request only.
        case own
    }

    struct Row: Sendable, CustomStringConvertible {
        var description: String
        var share: Share
        var answer: Answer
        var method = "GET"
        var fields: [String] = []
        /// Run at 400 at once as well as at 25.
        var isRunWithMany = false
    }

    private static func rows(_ kind: CacheKind) -> [Row] {
        let fresh = "Cache-Control: max-age=100"
        let long = String(repeating: "0123456789", count: 2_000)
        return [
            Row(
                description: "RFC 9111 §4 · a fresh response", share: .any, answer: .ok(fresh, body: "{request}"),
                isRunWithMany: true),
            Row(
                description: "RFC 9111 §4 · a long one, in pieces", share: .any,
                answer: Answer.ok(fresh, body: "{request}\n" + long).chunked()),
            Row(
                description: "RFC 9111 §4.1 · variants", share: .sameVariant,
                answer: .ok(fresh, "Vary: X-A", body: "{request}"), isRunWithMany: true),
            Row(description: "RFC 9111 §4.1 · Vary *", share: .own, answer: .ok(fresh, "Vary: *", body: "{request}")),
            Row(
                description: "RFC 9111 §5.2.2.5 · no-store", share: .own,
                answer: .ok("Cache-Control: no-store", body: "{request}"), isRunWithMany: true),
            Row(
                description: "RFC 9111 §5.2.2.4 · no-cache", share: .own,
                answer: .ok("Cache-Control: no-cache", #"ETag: "a""#, body: "{request}")),
            Row(
                description: "RFC 9111 §4.2 · stale at once", share: .own,
                answer: .ok("Cache-Control: max-age=0", body: "{request}")),
            Row(
                description: "RFC 9111 §3 · nothing that allows storing", share: .own,
                answer: .status(403, body: "{request}")),
            Row(
                description: "RFC 9111 §5.2.2.7 · private", share: kind == .shared ? .own : .any,
                answer: .ok("Cache-Control: private, max-age=100", body: "{request}")),
            Row(
                description: "RFC 9111 §3.5 · Authorization", share: kind == .shared ? .own : .any,
                answer: .ok(fresh, body: "{request}"), fields: ["Authorization: Basic YTpi"]),
            Row(
                description: "RFC 9111 §5.2.1.5 · no-store in the requests", share: .own,
                answer: .ok(fresh, body: "{request}"), fields: ["Cache-Control: no-store"]),
            Row(
                description: "RFC 9111 §4 · an unsafe method", share: .own, answer: .ok(fresh, body: "{request}"),
                method: "POST"),
        ]
    }

    private static let cells = Cell.all.filter { $0.concurrency == 25 || $0.concurrency == 400 && $0.mode == .reverse }

    @Test("each client gets a whole response that it may get", arguments: cells)
    func shared(_ cell: Cell) async throws {
        let host = try await CacheHost.start(cell)
        let clients = (0..<cell.concurrency).map { _ in RawClient(port: host.listener.port) }
        for client in clients { try await client.connect() }
        for (number, row) in Self.rows(cell.kind).enumerated() where row.isRunWithMany || cell.concurrency == 25 {
            let faults = try await Self.run(row, "s\(number)", clients, on: host)
            #expect(faults.isEmpty, "\(row), \(cell.testDescription): \(faults.prefix(5))")
        }
        for client in clients { await client.close() }
        await host.stop()
    }

    /// Sends one request from every client, all under way before the origin answers the first.
    private static func run(
        _ row: Row, _ token: String, _ clients: [RawClient], on host: CacheHost
    ) async throws -> [String] {
        let step = Step.send(row.method, .either(row.answer))
        let placeholders = Placeholders(start: host.clock.now, origin: host.originURL, path: "/c/\(token)")
        host.script.prepare(token, step, number: 1, placeholders)
        host.script.hold()
        var pending: [RawClient.Pending] = []
        for (number, client) in clients.enumerated() {
            let fields = row.fields + ["X-Client: \(number)", "X-A: \(number % 3)", "Content-Length: 0"]
            let target = (host.cell.mode == .forward ? host.originURL : "") + placeholders.path
            let head = ["\(row.method) \(target) HTTP/1.1", "Host: \(host.originURL.dropFirst(7))"] + fields
            pending.append(
                try await client.send(head.joined(separator: "\r\n") + "\r\n\r\n", method: row.method) { _ in })
        }
        host.script.release()
        var answers: [Message?] = []
        for answer in pending { answers.append(try await answer.get()) }
        await host.settled()
        let requests = host.script.requests(token)
        return answers.enumerated().compactMap { number, answer in
            fault(answer, of: number, row, requests)
        }
    }

    private static func fault(_ answer: Message?, of client: Int, _ row: Row, _ requests: [Message]) -> String? {
        guard let answer, answer.isComplete, answer.status == row.answer.status else {
            return "client \(client) got \(answer?.transcript("") ?? "nothing")"
        }
        let lines = answer.text.split(separator: "\n")
        let length = (row.answer.body ?? "").split(separator: "\n").dropFirst().first?.count ?? 0
        guard let number = lines.first.flatMap({ Int($0) }), requests.indices.contains(number - 1),
            lines.dropFirst().first?.count ?? 0 == length
        else { return "client \(client) got content that nobody sent: '\(answer.text.prefix(80))'" }
        let asker = requests[number - 1]
        let mayHaveIt =
            switch row.share {
            case .any: true
            case .sameVariant: asker.value("X-A") == "\(client % 3)"
            case .own: asker.value("X-Client") == "\(client)"
            }
        return mayHaveIt ? nil : "client \(client) got the answer to client \(asker.value("X-Client") ?? "?")"
    }
}
