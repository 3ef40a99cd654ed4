import CacheEngine
import HTTPTypes

extension TransportConformance {
    func checkFailure(_ guarantee: Guarantee) async throws {
        let half = OriginStep.bytes(Array("hel".utf8))
        let (steps, code, timeout): ([OriginStep], TransportError.Code?, Duration?) =
            switch guarantee {
            case .noticesTruncatedContent: ([.head(200, [:], .length(5)), half, .breakOff], .closedEarly, nil)
            case .noticesTruncatedChunks: ([.head(200, [:], .chunked), half, .breakOff], .closedEarly, nil)
            case .noticesAMissingResponse: ([.breakOff], .closedEarly, nil)
            case .timesOutWithoutAHead: ([.silence], .timedOut, .milliseconds(50))
            default: ([.head(200, [:], .length(3)), half], nil, .seconds(600))
            }
        let subject = try await makeSubject { _ in steps }
        let outcome = await Self.outcome(subject, Self.request(subject, timeout: timeout))
        try expect(outcome.code == code, "it ended with \(outcome.error.map { "\($0)" } ?? "no error")")
        let hasContent = outcome.head != nil
        // Content of which a part is missing may arrive up to there.
        try expect(outcome.content.isEmpty || hasContent && outcome.text == "hel", "it is '\(outcome.text)'")
        if code == nil { try expect(outcome.text == "hel", "it is '\(outcome.text)'") }
    }

    func checkCancelling(_ guarantee: Guarantee) async throws {
        let subject = try await makeSubject { _ in
            guarantee == .cancelsWhileTheHeadIsAwaited
                ? [.silence] : [.head(200, [:], .length(5)), .bytes(Array("hello".utf8))]
        }
        let request = Self.request(subject)
        switch guarantee {
        case .cancelsWhileTheHeadIsAwaited:
            for isEarly in [true, false] {
                let task = Task {
                    if !isEarly { return try await subject.transport.send(request) }
                    while !Task.isCancelled { await Task.yield() }
                    return try await subject.transport.send(request)
                }
                if !isEarly { try await subject.settle() }
                task.cancel()
                let result = await task.result
                guard case .failure(let error) = result, error is CancellationError else {
                    throw Violation("it ended with \(result)")
                }
            }
        case .cancelsWhileContentIsAwaited:
            let stalled = try await makeSubject { _ in [.head(200, [:], .length(5)), .silence] }
            let response = try await stalled.transport.send(Self.request(stalled))
            let task = Task { try await response.body.next() }
            try await stalled.settle()
            task.cancel()
            guard case .failure = await task.result else { throw Violation("content came all the same") }
        case .cancelsUnreadContent:
            let response = try await subject.transport.send(request)
            response.body.cancel()
            response.body.cancel()
            do {
                if try await response.body.next() != nil { throw Violation("content came all the same") }
            } catch is CancellationError {}
        default:
            let response = try await subject.transport.send(request)
            while try await response.body.next() != nil {}
            response.body.cancel()
            let again = await Self.outcome(subject, request)
            try expect(again.text == "hello", "the next request got '\(again.text)'")
        }
    }

    func checkLongContent(_ guarantee: Guarantee) async throws {
        let length = longLength
        let subject = try await makeSubject { _ in [.head(200, [:], .length(length)), .zeros(length)] }
        let response = try await subject.transport.send(Self.request(subject))
        var read = Int64(try await response.body.next()?.count ?? 0)
        try await subject.settle()
        let ahead = subject.sentBytes() - read
        try expect(ahead < 33_554_432, "\(ahead) bytes were sent ahead")
        guard guarantee == .goesOnWhenTheReaderGoesOn else { return response.body.cancel() }
        while let piece = try await response.body.next() { read += Int64(piece.count) }
        try expect(read == length, "\(read) bytes came")
    }

    func checkUpload(_ guarantee: Guarantee) async throws {
        switch guarantee {
        case .sendsContentOfStatedLength: try await upload(["he", "llo"], length: 5)
        case .sendsContentOfUnknownLength: try await upload(["he", "llo"], length: nil)
        case .sendsLongContent: try await uploadLong()
        case .refusesContentOfAnotherLength:
            for (pieces, length) in [(["hello"], 4), (["hell"], 5), ([], 1)] as [([String], Int64)] {
                let subject = try await makeSubject { _ in [.head(200, [:], .length(0))] }
                let body = RequestBody(ScriptedBody(pieces.map { Array($0.utf8) }), length: length)
                let outcome = await Self.outcome(subject, Self.request(subject, method: .post, body: body))
                try expect(outcome.code == .malformedRequest, "it ended with \(outcome.error.map { "\($0)" } ?? "")")
                try expect(!subject.received().contains { $0.isComplete }, "a part passed for the whole")
            }
        default:
            let body = ScriptedBody([Array("he".utf8)], ends: false)
            let subject = try await makeSubject { _ in [.head(413, [:], .length(2)), .bytes(Array("no".utf8))] }
            let request = Self.request(subject, "/early", method: .post, body: RequestBody(body, length: nil))
            let outcome = await Self.outcome(subject, request)
            try expect(outcome.head?.status.code == 413 && outcome.text == "no", "it is \(outcome)")
            body.end()
        }
    }

    private func upload(_ pieces: [String], length: Int64?) async throws {
        let subject = try await makeSubject { _ in [.head(200, [:], .length(2)), .bytes(Array("ok".utf8))] }
        let body = RequestBody(ScriptedBody(pieces.map { Array($0.utf8) }), length: length)
        let outcome = await Self.outcome(subject, Self.request(subject, method: .post, body: body))
        try expect(outcome.text == "ok", "it is \(outcome)")
        let received = subject.received()
        try expect(received.count == 1 && received.allSatisfy(\.isComplete), "\(received.count) requests came")
        try expect(received.first?.content == Array(pieces.joined().utf8), "the content is another one")
        try expect(received.first?.fields[.contentLength] == length.map { String($0) }, "the length is another one")
    }

    private func uploadLong() async throws {
        let pieces = 256
        let piece = [UInt8](repeating: 7, count: 16_384)
        let subject = try await makeSubject { request in
            [.head(request.content.count == pieces * piece.count ? 200 : 400, [:], .length(0))]
        }
        let body = ScriptedBody((0..<pieces).map { _ in piece })
        let outcome = await Self.outcome(
            subject, Self.request(subject, method: .put, body: RequestBody(body, length: nil)))
        try expect(outcome.head?.status == .ok, "it is \(outcome.head?.status.code ?? 0)")
    }
}
