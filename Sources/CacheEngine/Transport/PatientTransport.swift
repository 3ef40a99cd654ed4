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

    private enum First: Sendable {
        case answer(Result<TransportResponse, any Error>)
        case late
    }

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
        let (events, event) = AsyncStream.makeStream(of: First.self)
        Task { event.yield(.answer(await task.result)) }
        let alarm = Task { [clock] in
            try await clock.sleep(limit)
            event.yield(.late)
        }
        defer { alarm.cancel() }
        for await first in events {
            switch first {
            case .answer(let result): return try result.get()
            case .late:
                isOver.withLock { $0 = true }
                onLate(task)
                throw TransportError(
                    code: .timedOut, message: "'\(request.head.authority ?? "")' did not answer within \(limit).")
            }
        }
        // The task that waited was cancelled.
        task.cancel()
        _ = try? await task.value
        throw CancellationError()
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
    private let task: Task<TransportResponse, any Error>
    private let isTaken = AtomicFlag(false)

    init(
        _ head: HTTPRequest, _ task: Task<TransportResponse, any Error>, requestTime: WallInstant, sent: Duration,
        mark: StoreMark?
    ) {
        (self.head, self.task, self.requestTime) = (head, task, requestTime)
        (self.sent, self.mark) = (sent, mark)
    }

    deinit {
        guard !isTaken.value else { return }
        task.cancel()
        Task { [task] in (try? await task.value)?.body.cancel() }
    }

    /// Waits for it no longer than this.
    ///
    /// - Throws: As a transport does.
    func response(within limit: Duration?, _ clock: EngineClock) async throws -> TransportResponse {
        isTaken.value = true
        let isOver = AtomicFlag(false)
        let alarm = limit.map { limit in
            Task { [task] in
                try await clock.sleep(limit)
                isOver.value = true
                task.cancel()
            }
        }
        defer { alarm?.cancel() }
        do {
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch is CancellationError where isOver.value {
            throw TransportError(code: .timedOut, message: "'\(head.authority ?? "")' did not answer.")
        }
    }
}
