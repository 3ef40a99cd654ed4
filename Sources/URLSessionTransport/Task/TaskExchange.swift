import CacheEngine
import HTTPTypes
import Locking

/// One request on a task of a session: does what ``TaskMachine`` says, in that order, and lets its callers wait.
///
/// The session tells it from its own queue, the reader and the clock from anywhere. Nothing is called under the lock.
package final class TaskExchange: Sendable {
    private struct State {
        var machine: TaskMachine
        var task: (any NetworkTask)?
        var answered: CheckedContinuation<TaskHead, any Error>?
        var reader: CheckedContinuation<Void, Never>?
        var outlet: BodyOutlet?
        /// Actions still to be done; one caller at a time does them.
        var actions: [TaskMachine.Action] = []
        var isActing = false
        var lastProgress: Duration = .zero
    }

    private let state: LockedBox<State>
    private let onInterim: (@Sendable (HTTPResponse) -> Void)?
    private let onMetrics: (@Sendable (TransportMetrics) -> Void)?
    private let method: HTTPRequest.Method
    private let host: String
    private let upload: RequestBody?

    package init(_ request: TransportRequest) {
        host = request.head.authority ?? ""
        method = request.head.method
        upload = request.body
        onInterim = request.onInterim
        onMetrics = request.onMetrics
        state = LockedBox(State(machine: TaskMachine(host: host, hasUpload: request.body != nil)))
    }

    // MARK: The request

    /// Starts the task and returns its response, once the head is there.
    ///
    /// - Parameters:
    ///   - timeout: The longest wait for the head; `nil` for `silence` alone.
    ///   - silence: The longest wait for the head since the task began or the last of the request was taken.
    /// - Throws: `TransportError`, or `CancellationError`.
    package func run(
        _ task: any NetworkTask, timeout: Duration?, silence: Duration, on clock: EngineClock
    ) async throws -> TransportResponse {
        state.withLock { state in
            state.task = task
            state.lastProgress = clock.uptime()
        }
        let alarm = Task { await self.alarm(timeout: timeout, silence: silence, on: clock) }
        defer { alarm.cancel() }
        let head = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let known = state.withLock { state -> Result<TaskHead, any Error>? in
                    // Cancelled before it began.
                    if case .failure(let error) = state.machine.answer, error is CancellationError {
                        return .failure(error)
                    }
                    state.answered = continuation
                    return nil
                }
                if let known { return continuation.resume(with: known) }
                perform { $0.start() }
            }
        } onCancel: {
            cancel()
        }
        return TransportResponse(
            head: head.response, body: ReceivedBody(self), bodyLength: head.isDecoded ? nil : head.contentLength)
    }

    /// Gives the request and its response up.
    package func cancel() {
        perform { $0.cancelled() }
    }

    private func alarm(timeout: Duration?, silence: Duration, on clock: EngineClock) async {
        var wait = timeout ?? silence
        while true {
            do { try await clock.sleep(wait) } catch { return }
            if timeout == nil {
                let quiet = clock.uptime() - state.withLock { $0.lastProgress }
                guard quiet >= silence else {
                    wait = silence - quiet
                    continue
                }
            }
            let message = "'\(host)' did not answer within \(timeout ?? silence)."
            return perform { $0.timeIsUp(TransportError(code: .timedOut, message: message)) }
        }
    }

    // MARK: What the session tells

    /// The session has sent a part of the request's content.
    package func noteProgress(at uptime: Duration) {
        state.withLock { $0.lastProgress = uptime }
    }

    /// The session wants the request's content.
    ///
    /// - Parameter makeStream: Makes both ends of a stream: what the session reads from, and a port to write to; `nil`
    ///   if it can't.
    /// - Returns: The session's end; `nil` when the content was given away before, which fails the exchange.
    package func streamRequested<Stream>(_ makeStream: () -> (Stream, any OutputPort)?) -> Stream? {
        let isGiven = perform { $0.streamRequested() }
        guard isGiven, let upload else { return nil }
        guard let (stream, port) = makeStream() else {
            let error = TransportError(
                code: .malformedRequest, message: "This system can't stream the content of a request.")
            perform { $0.uploadFailed(error) }
            return nil
        }
        let outlet = BodyOutlet(port)
        state.withLock { $0.outlet = outlet }
        port.open { [weak outlet] event in outlet?.noted(event) }
        outlet.send(upload) { [weak self] error in self?.perform { $0.uploadFailed(error) } }
        return stream
    }

    package func receivedInterim(status: Int, fields: [(String, String)]) {
        guard let interim = TaskHead.interim(status: status, fields: fields) else { return }
        let isPassedOn = perform { $0.receivedInterim(interim.status) }
        if isPassedOn { onInterim?(interim) }
    }

    /// - Returns: Whether the content is wanted.
    package func received(status: Int, fields: [(String, String)]) -> Bool {
        guard let head = TaskHead(status: status, fields: fields, to: method) else {
            let error = TransportError(
                code: .malformedResponse, message: "'\(host)' sent no valid HTTP response: its status is \(status).")
            perform { $0.giveUp(error) }
            return false
        }
        return perform { $0.received(head) }
    }

    package func received(_ bytes: [UInt8]) {
        perform { $0.received(bytes) }
    }

    package func received(_ metrics: TransportMetrics) {
        state.withLock { state in
            if let bytes = metrics.transferredBytes { state.machine.transferred(bytes) }
        }
        onMetrics?(metrics)
    }

    /// The session has ended the task.
    ///
    /// - Parameter error: A `TransportError` or a `CancellationError`.
    package func completed(_ error: (any Error)? = nil) {
        perform { $0.completed(error) }
    }

    /// The session has ended the task with an error of this number, see ``SessionFailure``.
    package func completed(code: Int, cause: any Error) {
        completed(SessionFailure.error(code: code, host: host, cause: cause))
    }

    // MARK: The reader

    func next() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            while true {
                let piece = perform { $0.take() }
                switch piece {
                case .bytes(let bytes): return bytes
                case .end: return nil
                case .failure(let error): throw error
                case .wait: await waitForMore()
                }
            }
        } onCancel: {
            cancel()
        }
    }

    private func waitForMore() async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state -> Bool in
                guard state.machine.isEmpty else { return true }
                state.reader = continuation
                return false
            }
            if isReady { continuation.resume() }
        }
    }

    // MARK: Doing what the machine says

    private func perform(_ event: (inout TaskMachine) -> [TaskMachine.Action]) {
        perform { machine in ((), event(&machine)) }
    }

    /// Tells the machine and does what follows, in the machine's order even where several tell it at once: a `resume`
    /// must not overtake its `suspend`.
    private func perform<Answer: Sendable>(_ event: (inout TaskMachine) -> (Answer, [TaskMachine.Action])) -> Answer {
        let (result, acts) = state.withLock { state -> (Answer, Bool) in
            let (result, actions) = event(&state.machine)
            state.actions += actions
            let acts = !state.isActing && !state.actions.isEmpty
            if acts { state.isActing = true }
            return (result, acts)
        }
        if acts { while let act = nextAct() { act() } }
        return result
    }

    private func nextAct() -> (@Sendable () -> Void)? {
        state.withLock { state -> (@Sendable () -> Void)? in
            guard !state.actions.isEmpty else {
                state.isActing = false
                return nil
            }
            let action = state.actions.removeFirst()
            let task = state.task
            switch action {
            case .resume: return { task?.resume() }
            case .suspend: return { task?.suspend() }
            case .cancel: return { task?.cancel() }
            case .answer:
                let (answered, answer) = (state.answered, state.machine.answer)
                state.answered = nil
                return { answered?.resume(with: answer) }
            case .wakeReader:
                let reader = state.reader
                state.reader = nil
                return { reader?.resume() }
            case .stopUpload:
                let (outlet, upload) = (state.outlet, upload)
                return {
                    outlet?.stop()
                    upload?.source.cancel()
                }
            case .closeUpload:
                let outlet = state.outlet
                state.outlet = nil
                return { outlet?.close() }
            }
        }
    }
}
