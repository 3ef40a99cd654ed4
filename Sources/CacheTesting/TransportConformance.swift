import CacheEngine
import HTTPTypes

/// The guarantees of every `OriginTransport`, as checks that any implementation can run against an origin of its own.
///
///     for guarantee in TransportConformance.Guarantee.allCases {
///         try await TransportConformance { script in … }.check(guarantee)
///     }
public struct TransportConformance: Sendable {
    /// One guarantee. The sections are those of RFC 9110 unless said.
    public enum Guarantee: String, Sendable, CaseIterable, CustomStringConvertible {
        /// Content of a stated length arrives whole, and the length is known.
        case passesOnContentOfStatedLength
        /// Content in chunks arrives whole, and no length is claimed.
        case passesOnChunkedContent
        /// Content of no bytes is content.
        case passesOnEmptyContent
        /// Error statuses are responses, with their content.
        case passesOnErrors
        /// A repeated field keeps all its values in order, §5.3.
        case keepsRepeatedFields
        /// Lines of `Set-Cookie` stay lines of their own, §5.3, and none comes back with the next request.
        case keepsCookiesApartAndForgetsThem
        /// The request's `Cookie` leaves in one line, RFC 6265 §5.4.
        case sendsOneCookieLine
        /// A response to HEAD has no content, whatever its fields say, §9.3.2.
        case endsAfterTheHeadOfHEAD
        /// 204 has no content, §15.3.5.
        case endsAfterTheHeadOf204
        /// 304 has no content, whatever its fields say, §15.4.5.
        case endsAfterTheHeadOf304
        /// Redirects are handed up with their content, and nothing else is asked for.
        case handsRedirectsUp
        /// Content that ends before its stated length is not whole, RFC 9112 §8.
        case noticesTruncatedContent
        /// Chunked content without its last chunk is not whole, RFC 9112 §8.
        case noticesTruncatedChunks
        /// A connection that ends without a response is an error.
        case noticesAMissingResponse
        /// An origin that is silent is given up after the request's time-out.
        case timesOutWithoutAHead
        /// The time-out ends with the head.
        case doesNotTimeOutContent
        /// A request that is cancelled before its head throws `CancellationError`.
        case cancelsWhileTheHeadIsAwaited
        /// A task that is cancelled while it waits for content gets an error at once.
        case cancelsWhileContentIsAwaited
        /// A body that is cancelled gives no more content, and cancelling it again does nothing.
        case cancelsUnreadContent
        /// Cancelling after the end does nothing.
        case cancelsAfterTheEnd
        /// A reader that stops keeps the origin from sending more than 32 MiB ahead.
        case stopsTheOriginWhenTheReaderStops
        /// Content that was stopped goes on and arrives whole.
        case goesOnWhenTheReaderGoesOn
        /// Several requests at once get their own responses.
        case keepsExchangesApart
        /// Interim responses come in order, before the final one, §15.2.
        case passesOnInterimResponses
        /// Fields after the content come after it, and never among the others, §6.5.
        case passesOnTrailers
        /// Content in a coding arrives as it was sent or, if the transport says so, without it.
        case decodesWhatItSays
        /// Content in an unknown coding arrives as it was sent.
        case leavesUnknownCodings
        /// Content of a request arrives whole, of stated length.
        case sendsContentOfStatedLength
        /// Content of a request arrives whole, of unknown length.
        case sendsContentOfUnknownLength
        /// Content of a request arrives whole piece by piece, never held whole.
        case sendsLongContent
        /// Content of another length than announced fails, and is never complete at the origin.
        case refusesContentOfAnotherLength
        /// An origin may answer before it has read the request.
        case takesEarlyAnswers

        public var description: String { rawValue }
    }

    /// A transport, and an origin that it can reach.
    public struct Subject: Sendable {
        public var transport: any OriginTransport
        /// Scheme and authority of the origin, for the requests.
        public var scheme: String
        public var authority: String
        /// The requests so far, in the order of their arrival.
        public var received: @Sendable () -> [ReceivedRequest]
        /// How many bytes of content the origin has sent, or given to its system to send.
        public var sentBytes: @Sendable () -> Int64
        /// Returns once nothing moves: what is sent has arrived where it can.
        public var settle: @Sendable () async throws -> Void

        public init(
            transport: any OriginTransport, scheme: String = "http", authority: String,
            received: @escaping @Sendable () -> [ReceivedRequest], sentBytes: @escaping @Sendable () -> Int64,
            settle: @escaping @Sendable () async throws -> Void
        ) {
            self.transport = transport
            self.scheme = scheme
            self.authority = authority
            self.received = received
            self.sentBytes = sentBytes
            self.settle = settle
        }
    }

    /// The origin's steps for a request. Called when the request's head has come and, unless its
    /// path begins with `/early`, its content.
    public typealias Script = @Sendable (ReceivedRequest) -> [OriginStep]

    let makeSubject: @Sendable (@escaping Script) async throws -> Subject
    /// How many bytes the tests of back-pressure send: 1 GiB unless set.
    var longLength: Int64 = 1_073_741_824

    public init(
        longLength: Int64 = 1_073_741_824, _ makeSubject: @escaping @Sendable (@escaping Script) async throws -> Subject
    ) {
        self.makeSubject = makeSubject
        self.longLength = longLength
    }

    /// A guarantee that does not hold.
    struct Violation: Error {
        var message: String

        init(_ message: String) { self.message = message }
    }

    /// - Throws: `ConformanceFailure` where the guarantee does not hold.
    public func check(_ guarantee: Guarantee) async throws {
        do {
            try await run(guarantee)
        } catch let violation as Violation {
            throw ConformanceFailure(guarantee: guarantee.rawValue, message: violation.message)
        }
    }

    private func run(_ guarantee: Guarantee) async throws {
        switch guarantee {
        case .passesOnContentOfStatedLength, .passesOnChunkedContent, .passesOnEmptyContent, .passesOnErrors,
            .keepsRepeatedFields, .endsAfterTheHeadOfHEAD, .endsAfterTheHeadOf204, .endsAfterTheHeadOf304,
            .handsRedirectsUp, .decodesWhatItSays, .leavesUnknownCodings:
            try await checkResponse(guarantee)
        case .keepsCookiesApartAndForgetsThem, .sendsOneCookieLine: try await checkCookies(guarantee)
        case .noticesTruncatedContent, .noticesTruncatedChunks, .noticesAMissingResponse, .timesOutWithoutAHead,
            .doesNotTimeOutContent:
            try await checkFailure(guarantee)
        case .cancelsWhileTheHeadIsAwaited, .cancelsWhileContentIsAwaited, .cancelsUnreadContent,
            .cancelsAfterTheEnd:
            try await checkCancelling(guarantee)
        case .stopsTheOriginWhenTheReaderStops, .goesOnWhenTheReaderGoesOn: try await checkLongContent(guarantee)
        case .keepsExchangesApart: try await checkSeveral()
        case .passesOnInterimResponses: try await checkInterim()
        case .passesOnTrailers: try await checkTrailers()
        case .sendsContentOfStatedLength, .sendsContentOfUnknownLength, .sendsLongContent,
            .refusesContentOfAnotherLength, .takesEarlyAnswers:
            try await checkUpload(guarantee)
        }
    }
}

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
