/// Whether a step turned out as its row says.
struct Verdict {
    /// What was expected and what came instead; empty when everything holds.
    private(set) var faults: [String] = []
    /// Content that came from the origin and that a store may hand out again.
    private(set) var delivered: Scenario.Content?

    private let step: Step
    private let requests: [Message]
    private let placeholders: Placeholders

    /// - Parameters:
    ///   - before: What the client was last given under this path.
    init(
        step: Step, number: Int, received: Message?, requests: [Message], before: Scenario.Content?,
        placeholders: Placeholders, token: String
    ) {
        self.step = step
        self.requests = requests
        self.placeholders = placeholders
        judgeOrigin()
        guard let received else {
            if case .cutOff = step.outcome { return }
            expect("an answer", came: "none")
            return
        }
        let fromOrigin = expectedFromOrigin(number, token)
        judgeMessage(received, expected: expected(before: before, fromOrigin: fromOrigin))
        for check in step.checks { judge(check, received) }
        judgeInterim(received)
        if let fromOrigin, received.isComplete, step.method == "GET", mayBeStored { delivered = fromOrigin }
    }

    private mutating func expect(_ what: String, came: String) {
        faults.append("expected: \(what)\n    came: \(came)")
    }

    private var mayBeStored: Bool {
        let fields = step.outcome.answers.last?.fields.map { $0.lowercased() } ?? []
        // What a targeted field allows is for the row to say.
        if fields.contains(where: { $0.hasPrefix("cdn-cache-control:") }) { return true }
        let lines = fields.filter { $0.hasPrefix("cache-control:") }
        let unquoted = lines.joined(separator: ",").split(separator: "\"", omittingEmptySubsequences: false)
        let directives = stride(from: 0, to: unquoted.count, by: 2).map { unquoted[$0] }.joined().lowercased()
        return !directives.contains("no-store") || directives.contains("must-understand")
    }

    // MARK: What the origin was asked

    private mutating func judgeOrigin() {
        let count: ClosedRange<Int> =
            switch step.outcome {
            case .stored, .refused: 0...0
            case .asked, .validated, .completed, .storedThenAsked: 1...1
            case .askedAgain: 2...2
            // A GET whose connection ends too early may be sent again (RFC 9110 §9.2.2), on a kept one once more.
            case .storedAfter, .failed, .cutOff: 1...4
            case .either: 0...2
            }
        if !count.contains(requests.count) {
            let times = count.lowerBound == count.upperBound ? "\(count.lowerBound)" : "\(count)"
            expect("\(times) requests to the origin", came: "\(requests.count)")
        }
        if case .validated = step.outcome, let request = requests.first,
            request.value("If-None-Match") == nil, request.value("If-Modified-Since") == nil
        {
            expect("a conditional request to the origin", came: "one without a condition")
        }
    }

    // MARK: What the client got

    /// What the origin gave last, where the client should get that.
    private func expectedFromOrigin(_ number: Int, _ token: String) -> Scenario.Content? {
        let answer: Answer
        var again = ""
        switch step.outcome {
        case .asked(let only): answer = only
        case .askedAgain(_, let second): (answer, again) = (second, " again")
        default: return nil
        }
        let hasBody = step.method != "HEAD" && ![204, 304].contains(answer.status)
        let body = placeholders.fill(answer.body ?? "\(token), step \(number)\(again)")
        return .init(status: answer.status, text: hasBody ? body : "")
    }

    private func expected(before: Scenario.Content?, fromOrigin: Scenario.Content?) -> Scenario.Content? {
        switch step.outcome {
        case .stored, .validated, .storedAfter, .storedThenAsked: before ?? .init(status: 200, text: "")
        case .asked, .askedAgain: fromOrigin
        case .refused(let status), .failed(_, let status): .init(status: status, text: "")
        case .completed, .either, .cutOff: nil
        }
    }

    private var isFailure: Bool {
        switch step.outcome {
        case .refused, .failed: true
        default: false
        }
    }

    private mutating func judgeMessage(_ received: Message, expected: Scenario.Content?) {
        if case .cutOff = step.outcome {
            if received.isComplete { expect("a message that ends too early", came: "a whole one") }
        } else if !received.isComplete {
            expect("a whole message", came: "one that ends too early")
        }
        var status = expected?.status
        var namesBody = isFailure
        for check in step.checks {
            switch check {
            case .status(let code): status = code
            case .body, .bodyHolds, .empty, .anyBody: namesBody = true
            default: break
            }
        }
        if let status, received.status != status { expect("status \(status)", came: "\(received.status)") }
        guard let expected else { return }
        let hasBody = step.method != "HEAD" && ![204, 304].contains(status)
        let text = hasBody ? expected.text : ""
        if !namesBody, received.text != text { expect("the content '\(text)'", came: "'\(received.text)'") }
        judgeOwnFields(received)
    }

    /// What holds for every answer of its kind: RFC 9111 §4 and §5.1 for `Age`, RFC 9211 §2.1 and §2.2.
    private mutating func judgeOwnFields(_ received: Message) {
        let parameters = CacheStatusMember(received).parameters
        switch step.outcome {
        case .stored, .storedThenAsked:
            let age = received.value("Age") ?? "no Age"
            if age.isEmpty || !age.allSatisfy(\.isNumber) { expect("one Age in whole seconds", came: age) }
            if !parameters.contains("hit") || parameters.contains(where: { $0.hasPrefix("fwd=") }) {
                expect("'hit' without 'fwd' in Cache-Status", came: parameters.joined(separator: "; "))
            }
        case .asked, .askedAgain, .validated:
            if parameters.contains("hit") || !parameters.contains(where: { $0.hasPrefix("fwd=") }) {
                expect("'fwd' without 'hit' in Cache-Status", came: parameters.joined(separator: "; "))
            }
        default: break
        }
    }

    // MARK: Checks

    private mutating func judge(_ check: Check, _ received: Message) {
        switch check {
        case .field(let line):
            compare(line, received.value(Self.name(line)), exactly: true, "the client")
        case .fieldStarts(let line):
            compare(line, received.value(Self.name(line)), exactly: false, "the client")
        case .isNot(let line):
            let value = received.value(Self.name(line)) ?? ""
            if line == "\(Self.name(line)): \(value)" { expect("not '\(line)' for the client", came: value) }
        case .has(let name):
            if received.value(name) == nil { expect("\(name) for the client", came: "none") }
        case .no(let name):
            if let value = received.value(name) { expect("no \(name) for the client", came: value) }
        case .body(let text):
            let text = placeholders.fill(text)
            if received.text != text { expect("the content '\(text)'", came: "'\(received.text)'") }
        case .bodyIsNot(let text):
            if received.text == text { expect("content other than '\(text)'", came: "just that") }
        case .bodyHolds(let text):
            if !received.text.contains(placeholders.fill(text)) {
                expect("content with '\(text)'", came: "'\(received.text)'")
            }
        case .empty:
            if !received.body.isEmpty { expect("no content", came: "'\(received.text)'") }
        case .cacheStatus(let parameter):
            let parameters = CacheStatusMember(received).parameters
            if !parameters.contains(parameter) {
                expect("'\(parameter)' in Cache-Status", came: parameters.joined(separator: "; "))
            }
        case .noCacheStatus(let parameter):
            let parameters = CacheStatusMember(received).parameters
            if parameters.contains(parameter) {
                expect("no '\(parameter)' in Cache-Status", came: parameters.joined(separator: "; "))
            }
        case .sent, .sentStarts, .isNotSent, .sentHas, .sentNo, .sentTarget, .sentBody: judgeSent(check)
        case .status, .interim, .noInterim, .anyBody: break
        }
    }

    private mutating func judgeSent(_ check: Check) {
        guard let request = requests.last else {
            expect("a request to the origin", came: "none")
            return
        }
        switch check {
        case .sent(let line): compare(line, request.value(Self.name(line)), exactly: true, "the origin")
        case .sentStarts(let line): compare(line, request.value(Self.name(line)), exactly: false, "the origin")
        case .isNotSent(let line):
            let value = request.value(Self.name(line)) ?? ""
            if line == "\(Self.name(line)): \(value)" { expect("not '\(line)' for the origin", came: value) }
        case .sentHas(let name):
            if request.value(name) == nil { expect("\(name) for the origin", came: "none") }
        case .sentNo(let name):
            if let value = request.value(name) { expect("no \(name) for the origin", came: value) }
        case .sentTarget(let target):
            let expected = placeholders.path + placeholders.fill(target)
            if request.target != expected { expect("target \(expected)", came: request.target) }
        case .sentBody(let text):
            if request.text != text { expect("request content '\(text)'", came: "'\(request.text)'") }
        default: break
        }
    }

    private mutating func judgeInterim(_ received: Message) {
        var expected: [(status: Int, fields: [String])] = []
        var isNamed = false
        for check in step.checks {
            switch check {
            case .interim(let status, let fields):
                expected.append((status, fields.map(placeholders.fill)))
                isNamed = true
            case .noInterim: isNamed = true
            default: break
            }
        }
        guard isNamed else { return }
        // Via is the proxy's own: RFC 9110 §7.6.3 wants it "in each message that it forwards".
        let came = received.interim.map { head in
            "\(head.status) "
                + head.fields.filter { $0.name.lowercased() != "via" }.map { "\($0.name): \($0.value)" }.joined(
                    separator: ", ")
        }
        let wanted = expected.map { "\($0.status) " + $0.fields.joined(separator: ", ") }
        if came != wanted { expect("interim responses \(wanted)", came: "\(came)") }
    }

    private mutating func compare(_ line: String, _ value: String?, exactly: Bool, _ who: String) {
        let line = placeholders.fill(line)
        let name = Self.name(line)
        let expected = String(line.dropFirst(name.count + 1).drop { $0 == " " })
        let holds = exactly ? value == expected : value?.hasPrefix(expected) ?? false
        if !holds {
            expect("\(name) for \(who) \(exactly ? "is" : "starts with") '\(expected)'", came: value ?? "none")
        }
    }

    private static func name(_ line: String) -> String { String(line.prefix { $0 != ":" }) }
}
