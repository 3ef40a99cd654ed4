import CacheEngine
import Fetching
import HTTPTypes
import Locking

/// One load of an app's session with what belongs to it; does what `LoadMachine` says.
///
/// Everything but reading happens on the client's thread: ``start()`` and ``stop()`` are called there. So a stop is seen
/// before anything else is called. One piece of the content is in memory at a time.
///
/// Scheme tasks have a runner of their own, `SchemeTaskDriver`, because web views have theirs on the main actor: an app may
/// block its main thread until a session has answered.
package final class RunningLoad: Sendable {
    private struct State: Sendable {
        var machine = LoadMachine()
        var client: (any LoadClient)?
        var answer: (@Sendable () async -> LoadAnswer)?
        var source: (any BodySource)?
        /// What the next action delivers.
        var head: HTTPResponse?
        var redirect: LoadRedirect?
        var piece: [UInt8] = []
        var failure: EngineError?
        var work: [Work: Task<Void, Never>] = [:]
    }

    private enum Work: Hashable {
        /// Makes the answer, then reads the content, piece by piece, or waits until the client wants it.
        case content
        /// Ends the load when nothing comes.
        case time
    }

    /// How long a redirect may stay unanswered before it is taken for the answer. A client that follows it stops the load.
    package static let redirectGrace = Duration.seconds(5)
    /// How often a suspended client is looked at.
    package static let suspensionCheck = Duration.milliseconds(100)
    /// Added to the time-out while the head is awaited: when a transport's own is over, a stored response may answer.
    private static let grace = Duration.seconds(1)

    private let thread: any LoadThread
    private let clock: EngineClock
    private let timeout: Duration
    private let timer: ProgressTimer
    private let state: LockedBox<State>

    /// - Parameters:
    ///   - timeout: The longest that nothing may come.
    ///   - answer: Runs in a task, which is cancelled when the load is stopped.
    package init(
        _ client: any LoadClient, on thread: any LoadThread, timeout: Duration, clock: EngineClock,
        answer: @escaping @Sendable () async -> LoadAnswer
    ) {
        self.thread = thread
        self.clock = clock
        self.timeout = timeout
        timer = ProgressTimer(timeout, clock: clock)
        state = LockedBox(State(client: client, answer: answer))
    }

    /// Called on the client's thread; a second time it does nothing.
    package func start() {
        act(handle(.begun))
    }

    /// Called on the client's thread. Nothing is called on the client once this has returned.
    package func stop() {
        _ = handle(.stopped)
        if state.withLock({ $0.machine.state == .stopped }) { letGo() }
    }

    // MARK: On the client's thread

    private func handle(_ event: LoadMachine.Event) -> LoadMachine.Action? {
        state.withLock { $0.machine.handle(event) }
    }

    /// Does one action after the other, as long as that needs no waiting.
    private func act(_ first: LoadMachine.Action?) {
        var next = first
        while let action = next {
            next = nil
            switch action {
            case .makeAnswer: begin()
            case .deliverHead: next = deliverHead()
            case .deliverPiece: next = deliverPiece()
            case .readBody: work(.content) { await $0.read() }
            case .redirect: redirect()
            case .finish: letGo()?.finish()
            case .fail:
                let failure = state.withLock { $0.failure }
                let client = letGo()
                if let failure { client?.fail(failure) }
            // What `letGo` does.
            case .cancelAnswer, .cancelBody: break
            }
        }
    }

    private func begin() {
        timer.restart(grace: Self.grace)
        work(.content) { await $0.makeAnswer() }
        work(.time) { await $0.watchTime() }
    }

    private func deliverHead() -> LoadMachine.Action? {
        let (client, head) = state.withLock { ($0.client, $0.head) }
        if let head { client?.receive(head) }
        return handle(.headTaken)
    }

    private func deliverPiece() -> LoadMachine.Action? {
        let (client, piece) = state.withLock { state in
            defer { state.piece = [] }
            return (state.client, state.piece)
        }
        client?.receive(piece)
        guard client?.isSuspended == true else { return handle(.pieceTaken) }
        let action = handle(.pieceHeld)
        work(.content) { await $0.watchSuspension() }
        return action
    }

    private func redirect() {
        let (client, head, redirect) = state.withLock { ($0.client, $0.head, $0.redirect) }
        if let redirect, let head { client?.redirect(redirect, head) }
        work(.content) { load in
            guard (try? await load.clock.sleep(Self.redirectGrace)) != nil else { return }
            load.thread.perform { load.act(load.handle(.answered)) }
        }
    }

    private func answered(_ answer: LoadAnswer) {
        let action: LoadMachine.Action?
        switch answer {
        case .failure(let error):
            state.withLock { $0.failure = error }
            action = handle(.answerFailed)
        case .response(let head, let body): action = answered(.answered, head, body)
        case .redirect(let redirect, let head, let body):
            let isTold = state.withLock { state in
                state.redirect = redirect
                return state.client?.followsRedirects == true
            }
            action = answered(isTold ? .redirected : .answered, head, body)
        }
        if action == nil { answer.discard() }
        act(action)
    }

    private func answered(
        _ event: LoadMachine.Event, _ head: HTTPResponse, _ body: ResponseBody
    ) -> LoadMachine.Action? {
        timer.restart()
        return state.withLock { state in
            let action = state.machine.handle(event)
            if action != nil { (state.head, state.source) = (head, body.makeSource()) }
            return action
        }
    }

    private func read(_ result: Result<[UInt8]?, EngineError>) {
        timer.restart()
        switch result {
        // A source is told never to give an empty piece; the client is not to depend on that.
        case .success(let piece?) where piece.isEmpty: act(.readBody)
        case .success(let piece?):
            state.withLock { $0.piece = piece }
            act(handle(.pieceRead))
        case .success(nil): act(handle(.bodyEnded))
        case .failure(let error):
            state.withLock { $0.failure = error }
            act(handle(.bodyFailed))
        }
    }

    private func timeIsUp() {
        guard timer.isUp else { return }
        let late = EngineError(
            code: .timedOut, message: "Nothing came for \(timeout.components.seconds) seconds.")
        state.withLock { $0.failure = late }
        act(handle(.answerFailed) ?? handle(.bodyFailed))
        // Whoever is suspended, or thinks about a redirect, has no time-out.
        timer.restart()
    }

    /// Frees everything. Safe after the end of the source, where cancelling does nothing.
    @discardableResult
    private func letGo() -> (any LoadClient)? {
        let ended = state.withLock { state in
            defer {
                (state.client, state.answer, state.source, state.work) = (nil, nil, nil, [:])
                (state.head, state.redirect, state.piece) = (nil, nil, [])
            }
            return state
        }
        for task in ended.work.values { task.cancel() }
        ended.source?.cancel()
        return ended.client
    }

    // MARK: In tasks

    /// Runs something beside the client's thread, until the load is let go.
    private func work(_ kind: Work, _ body: @escaping @Sendable (RunningLoad) async -> Void) {
        let task = Task { await body(self) }
        let isOver = state.withLock { state in
            state.work[kind] = task
            return state.client == nil
        }
        if isOver { task.cancel() }
    }

    private func makeAnswer() async {
        guard let make = state.withLock({ $0.answer }) else { return }
        let answer = await make()
        thread.perform { self.answered(answer) }
    }

    private func read() async {
        let source = state.withLock { $0.source }
        let result: Result<[UInt8]?, EngineError>
        do {
            result = .success(try await source?.next())
        } catch {
            result = .failure(EngineError(whileReading: error))
        }
        thread.perform { self.read(result) }
    }

    private func watchTime() async {
        while (try? await timer.wait()) != nil {
            await withCheckedContinuation { continuation in
                thread.perform {
                    self.timeIsUp()
                    continuation.resume()
                }
            }
        }
    }

    private func watchSuspension() async {
        while (try? await clock.sleep(Self.suspensionCheck)) != nil {
            guard state.withLock({ $0.client })?.isSuspended == false else { continue }
            return thread.perform { self.act(self.handle(.demanded)) }
        }
    }
}
