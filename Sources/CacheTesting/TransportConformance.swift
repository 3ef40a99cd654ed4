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

    /// What an origin does for a request. Called when the request's head has come and, unless its path begins with
    /// `/early`, its content.
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

    /// What does not hold.
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
