import HTTPCacheSemantics
import HTTPTypes
import Locking
import ResponseStore

/// A transport whose requests go on where nobody waits for their answers any more, so that a slow server is not asked
/// the same again for the validation behind the stored response that has answered.
package struct PatientTransport: OriginTransport {
    private let base: any OriginTransport
    private let clock: EngineClock

    package init(_ base: any OriginTransport, _ clock: EngineClock) { (self.base, self.clock) = (base, clock) }

    package var decodedCodings: Set<String> { base.decodedCodings }

    package func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard let limit = request.timeout, let onLate = request.onLate else { return try await base.send(request) }
        var sent = request
        (sent.timeout, sent.onLate) = (nil, nil)
        let isOver = LockedBox(false)
        if let onInterim = request.onInterim {
            // Under the lock, so that none follows the answer that takes this one's place.
            sent.onInterim = { interim in isOver.withLock { if !$0 { onInterim(interim) } } }
        }
        let task = Task { [base, sent] in try await base.send(sent) }
        if let result = try await task.result(within: limit, clock) { return try result.get() }
        isOver.withLock { $0 = true }
        onLate(task)
        throw TransportError(
            code: .timedOut, message: "'\(request.head.authority ?? "")' did not answer within \(limit).")
    }
}

extension Task where Failure == any Error {
    /// Waits no longer than this. A waiter that is cancelled cancels the task.
    ///
    /// - Returns: `nil` where the time is up; the task goes on.
    package func result(within limit: Duration?, _ clock: EngineClock) async throws -> Result<Success, any Error>? {
        let (events, event) = AsyncStream.makeStream(of: Result<Success, any Error>?.self)
        Task<Void, Never> { event.yield(await result) }
        let alarm = limit.map { limit in
            Task<Void, any Error> {
                try await clock.sleep(limit)
                event.yield(nil)
            }
        }
        defer { alarm?.cancel() }
        for await first in events { return first }
        cancel()
        _ = await result
        throw _Concurrency.CancellationError()
    }
}

/// An answer that was waited for in vain, and may come yet: for the validation that follows. Given up with the last
/// reference.
final class LateAnswer: Sendable {
    /// The request as the engine sent it.
    let head: HTTPRequest
    /// When it left: by the wall clock, on the uptime clock, and in the store's order of changes.
    let requestTime: WallInstant
    let sent: Duration
    let mark: StoreMark?
    /// Where its content has begun to come: whether it pauses.
    let pauses: AtomicFlag?
    private let task: Task<TransportResponse, any Error>
    private let isTaken = AtomicFlag(false)

    init(
        _ head: HTTPRequest, _ task: Task<TransportResponse, any Error>, requestTime: WallInstant, sent: Duration,
        mark: StoreMark?, pauses: AtomicFlag? = nil
    ) {
        (self.head, self.task, self.requestTime) = (head, task, requestTime)
        (self.sent, self.mark, self.pauses) = (sent, mark, pauses)
    }

    deinit {
        guard !isTaken.value else { return }
        task.cancel()
        Task { [task] in (try? await task.value)?.body.cancel() }
    }

    /// Whether it is of use to this request: a whole response answers a validation as well.
    func answers(_ other: HTTPRequest) -> Bool {
        head == other
            || head.method == other.method && head.url == other.url && !head.headerFields.contains(.range)
                && !ConditionalRequest.isConditional(head.headerFields)
    }

    /// Waits for it no longer than this.
    func response(within limit: Duration?, _ clock: EngineClock) async throws -> TransportResponse {
        guard let result = try await task.result(within: limit, clock) else {
            throw TransportError(code: .timedOut, message: "'\(head.authority ?? "")' did not answer.")
        }
        isTaken.value = true
        return try result.get()
    }
}
