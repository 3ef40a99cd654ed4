import HTTPCacheSemantics
import HTTPTypes
import Locking

/// Sends a request, and takes what comes for what the transport has made of it.
extension RunningExchange {
    /// Whether a request whose connection broke off is sent once more, RFC 9110 §9.2.2: one that somebody waits for.
    func mayRepeat(_ head: HTTPRequest) -> Bool {
        head.method == .get && body == nil && context.preload == nil && !context.isBackground && !Task.isCancelled
    }

    /// The content, which goes on where it breaks off.
    func continued(_ response: TransportResponse, to head: HTTPRequest) -> any BodySource {
        guard !Self.isStream(response.head) else { return response.body }
        var exchange = self
        exchange.flight = nil
        let body = ContinuedBody(response) { [exchange] conditions in
            var again = exchange
            again.network?.withLock { $0.repeats += 1 }
            return try await again.send(TransportRequest(head: head.asking(under: conditions)))
        }
        return body ?? response.body
    }

    /// A host is no longer weak once content of it has come, or there is none to wait for.
    func noteArrival(of response: inout TransportResponse) {
        guard cache.patience.isWeak(host) else { return }
        if response.body is HeldBody || response.bodyLength == 0 || head.method == .head
            || [204, 304].contains(response.head.status.code)
        {
            cache.patience.arrived(from: host)
        } else {
            response.body = ReportingBody(response.body, length: response.bodyLength) { [cache, host] bytes, _, _ in
                if bytes > 0 { cache.patience.arrived(from: host) }
            }
        }
    }

    /// Sends a request: a page's counts as visible traffic until its response has ended, and a preload gives way to it.
    ///
    /// - Parameter late: Its answer, where it was sent before.
    mutating func send(_ request: TransportRequest, _ late: LateAnswer? = nil) async throws -> TransportResponse {
        var request = request
        if let network {
            request.onMetrics = { metrics in network.withLock { $0.metrics = metrics } }
        }
        guard let terms = context.preload else {
            guard !context.isBackground else { return try await exchange(request, late) }
            let visit = cache.traffic.begin()
            if request.head.method == .get { cache.noteForwarding(head, context) }
            do {
                var response = try await exchange(request)
                let traffic = cache.traffic
                response.body = ReportingBody(response.body, length: nil) { _, _, _ in traffic.end(visit) }
                return response
            } catch {
                cache.traffic.end(visit)
                throw error
            }
        }
        for field in terms.sentFields { request.head.headerFields[field.name] = field.value }
        try await cache.traffic.waitForQuiet { terms.isPromoted }
        request.yields = !terms.isPromoted
        var response = try await exchange(request)
        response.body = YieldingBody(response.body, cache, terms)
        return response
    }

    /// Sends a request and takes the response for what the transport has made of it, see ``DecodingTransport``.
    private mutating func exchange(
        _ request: TransportRequest, _ late: LateAnswer? = nil
    ) async throws -> TransportResponse {
        var request = request
        let codings = cache.transport.decodedCodings
        DecodingTransport.prepare(&request.head, for: codings)
        var response =
            if let late {
                try await late.response(within: request.timeout, cache.configuration.clock)
            } else {
                try await cache.transport.send(request)
            }
        LocationField.escape(&response.head)
        if LocationField.leadsToFile(response.head) {
            response.body.cancel()
            throw TransportError(
                code: .forbiddenRedirect,
                message:
                    "'\(request.head.authority ?? "")' redirects to a file of this machine (file:); that is not "
                    + "followed."
            )
        }
        try DecodingTransport.settle(&response, to: request.head, for: codings)
        if let limit = longestSilence(response.head) {
            let pauses = late?.pauses ?? AtomicFlag(false)
            contentPauses = pauses
            response.body = SilenceLimitedBody(response.body, limit: limit, clock: cache.configuration.clock, pauses)
        }
        return response
    }

    /// How long content may pause. Where nobody looks on, a page may be waiting. Event streams pause as they like.
    private func longestSilence(_ head: HTTPResponse) -> Duration? {
        let limits = cache.configuration.limits
        if context.preload != nil || context.isBackground { return limits.silenceInBackground }
        return Self.isStream(head) ? nil : limits.silence
    }

    private static func isStream(_ head: HTTPResponse) -> Bool {
        ["text/event-stream", "multipart/x-mixed-replace"].contains(head.headerFields.mediaType)
    }
}
