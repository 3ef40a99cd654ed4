import HTTPCacheSemantics

/// A row under way, under a name that no other has.
struct Scenario: Sendable {
    /// Content that the client was given from the origin, and may be given again.
    struct Content: Hashable, Sendable {
        var status: Int
        var text: String
    }

    let row: Row
    let token: String
    /// When each step is due, in seconds from the start.
    let times: [Int]
    let client: RawClient
    var next = 0
    var placeholders: Placeholders
    private var delivered: [String: Content] = [:]
    private var transcripts: [String] = []
    private(set) var failure: String?

    init(_ row: Row, token: String, client: RawClient, originURL: String, start: WallInstant) {
        self.row = row
        self.token = token
        self.client = client
        var time = 0
        times = row.steps.map { step in
            time += step.after
            defer { time += step.takes }
            return time
        }
        placeholders = Placeholders(start: start, origin: originURL, path: "/c/\(token)")
    }

    /// When the next step is due; `nil` after the last, or a failed one.
    var due: Int? { failure == nil && next < times.count ? times[next] : nil }

    var step: Step { row.steps[next] }

    /// The request of the next step.
    func request(in mode: Cell.Mode) -> String {
        let target = placeholders.path + placeholders.fill(step.path)
        let authority = placeholders.origin.dropFirst("http://".count)
        var text = "\(step.method) \(mode == .forward ? placeholders.origin : "")\(target) HTTP/1.1\r\n"
        text += "Host: \(authority)\r\n"
        for field in step.fields { text += placeholders.fill(field) + "\r\n" }
        if let body = step.body { text += "Content-Length: \(body.utf8.count)\r\n" }
        return text + "\r\n" + (step.body ?? "")
    }

    /// Judges the next step and goes on to the one after it.
    mutating func finish(_ received: Message?, sent requests: [Message], in cell: Cell) {
        let verdict = Verdict(
            step: step, number: next + 1, received: received, requests: requests, before: delivered[step.path],
            placeholders: placeholders, token: token)
        var transcript = ["step \(next + 1), after \(step.after) s:", request(in: cell.mode).marked("  > ")]
        for request in requests { transcript.append(request.transcript("      origin > ")) }
        transcript.append(received?.transcript("  < ") ?? "  < (nothing)")
        transcripts.append(transcript.joined(separator: "\n"))
        if let content = verdict.delivered { delivered[step.path] = content }
        if !verdict.faults.isEmpty {
            failure = """
                \(row)
                \(cell.testDescription); step \(next + 1) of \(row.steps.count)
                \(verdict.faults.joined(separator: "\n"))
                \(transcripts.joined(separator: "\n"))
                """
        }
        next += 1
    }
}

extension String {
    fileprivate func marked(_ mark: String) -> String {
        split(whereSeparator: \.isNewline).map { mark + $0 }.joined(separator: "\n")
    }
}
