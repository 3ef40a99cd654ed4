import CacheEngine
import HTTPTypes
import Locking

/// One load with what belongs to it; does what ``LoadMachine`` says. The one driver of that machine: a web view's
/// scheme task, a load of an app's session and a ``LoadReader`` are its clients.
///
/// Everything but making the answer and reading happens on the client's thread: ``start()``, ``proceed()`` and
/// ``stop()`` are called there. So a stop is seen before anything else is called. One piece of the content is in memory
/// at a time.
package final class Load: Sendable {
    private struct State: Sendable {
        var machine = LoadMachine()
        var client: (any LoadClient)?
        var answer: LoadAnswer?
        /// In memory, or a stream.
        var content = ResponseBody.empty
        /// The payload of the next action.
        var head: HTTPResponse?
        var redirect: LoadRedirect?
        var piece: [UInt8] = []
        var failure: LoadFailure?
        var work: [Work: Task<Void, Never>] = [:]
        var whenOver: (@Sendable () -> Void)?

        mutating func take(_ response: LoadResponse, on event: LoadMachine.Event) -> LoadMachine.Action? {
            guard let action = machine.handle(event) else { return nil }
            (head, content) = (response.head, response.body)
            if case .file = content { content = .stream(content.makeSource(), length: nil) }
            return action
        }
    }

    private enum Work: Hashable {
        /// Makes the answer, then reads the content, or waits until the client wants it.
        case content
        /// Ends the load when nothing comes.
        case time
    }

    /// How long a redirect may stay unanswered before it is taken for the answer. A client that follows it stops the
    /// load.
    package static let redirectGrace = Duration.seconds(5)
    /// How often a suspended client is looked at.
    package static let suspensionCheck = Duration.milliseconds(100)
    /// Added to the time-out while the head is awaited: when a transport's own is over, a stored response may answer.
    private static let grace = Duration.seconds(1)

    private let thread: any LoadThread
    private let clock: EngineClock
    private let idle: (time: Duration, timer: ProgressTimer)?
    private let state: LockedBox<State>

    /// - Parameters:
    ///   - timeout: The longest that nothing may come; `nil` for no limit.
    ///   - whenOver: Called once, on the client's thread, when the load is over and everything has been let go.
    package init(
        _ client: any LoadClient, on thread: any LoadThread, answer: LoadAnswer, timeout: Duration? = nil,
        clock: EngineClock, whenOver: (@Sendable () -> Void)? = nil
    ) {
        self.thread = thread
        self.clock = clock
        idle = timeout.map { ($0, ProgressTimer($0, clock: clock)) }
        state = LockedBox(State(client: client, answer: answer, whenOver: whenOver))
    }

    /// A second time it does nothing.
    package func start() { act(on: .begun) }

    /// The client asks for more after it did not.
    package func proceed() { act(on: .demanded) }

    /// Nothing is called on the client once this has returned.
    package func stop() {
        act(on: .stopped)
        if state.withLock({ $0.machine.state == .stopped }) { letGo() }
    }

    /// Ends the load before it has begun.
    package func refuse(_ error: any Error) { end(.answerFailed, .unanswered(error)) }

    /// Ends the load once so much time has passed, whatever has come and wherever it waits.
    package func limit(to time: Duration) {
        work(.time) { load in
            guard (try? await load.clock.sleep(time)) != nil else { return }
            load.thread.perform { load.end(.timedOut, .timedOut(time)) }
        }
    }

    // MARK: On the client's thread

    private func handle(_ event: LoadMachine.Event) -> LoadMachine.Action? {
        state.withLock { $0.machine.handle(event) }
    }

    private func act(on event: LoadMachine.Event) {
        if perform(handle(event)) { work(.content) { await $0.read() } }
    }

    private func end(_ event: LoadMachine.Event, _ failure: LoadFailure) {
        state.withLock { $0.failure = failure }
        act(on: event)
    }

    /// Does one action after the other, as long as that needs no waiting.
    ///
    /// - Returns: Whether the next piece has to be read from a source, in a task.
    private func perform(_ first: LoadMachine.Action?) -> Bool {
        var next = first
        while let action = next {
            next = nil
            switch action {
            case .makeAnswer: next = makeAnswer()
            case .deliverHead: next = deliverHead()
            case .deliverPiece: next = deliverPiece()
            case .readBody:
                if state.withLock({ if case .stream = $0.content { true } else { false } }) { return true }
                next = readMemory()
            case .redirect: redirect()
            case .finish: letGo()?.finish()
            case .fail:
                let failure = state.withLock { $0.failure }
                let client = letGo()
                if let failure { client?.fail(failure) }
            }
        }
        return false
    }

    private func makeAnswer() -> LoadMachine.Action? {
        let answer = state.withLock { state in
            defer { state.answer = nil }
            return state.answer
        }
        guard case .pending(let make)? = answer else { return answer.flatMap { answered($0) } }
        if let idle {
            idle.timer.restart(grace: Self.grace)
            work(.time) { await $0.watchTime(idle.timer) }
        }
        work(.content) { load in
            let answer = await make()
            let isToBeRead = await load.thread.run { load.perform(load.answered(answer)) }
            if isToBeRead { await load.read() }
        }
        return nil
    }

    private func answered(_ answer: LoadAnswer) -> LoadMachine.Action? {
        idle?.timer.restart()
        let action = state.withLock { state -> LoadMachine.Action? in
            switch answer {
            case .pending: return nil
            case .failed(let error):
                state.failure = .unanswered(error)
                return state.machine.handle(.answerFailed)
            case .ready(let response): return state.take(response, on: .answered)
            case .redirect(let redirect, let response):
                state.redirect = redirect
                return state.take(response, on: state.client?.followsRedirects == true ? .redirected : .answered)
            }
        }
        if action == nil { answer.discard() }
        return action
    }

    private func deliverHead() -> LoadMachine.Action? {
        let (client, head) = state.withLock { state in
            defer { state.head = nil }
            return (state.client, state.head)
        }
        if let head { client?.receive(head) }
        return handle(.headTaken)
    }

    private func deliverPiece() -> LoadMachine.Action? {
        let (client, piece) = state.withLock { state in
            defer { state.piece = [] }
            return (state.client, state.piece)
        }
        switch client?.receive(piece) ?? .later {
        case .more: return handle(.pieceTaken)
        case .later: return handle(.pieceHeld)
        case .whenResumed:
            let action = handle(.pieceHeld)
            work(.content) { await $0.watchSuspension() }
            return action
        }
    }

    private func readMemory() -> LoadMachine.Action? {
        state.withLock { state in
            guard case .bytes(let bytes) = state.content, !bytes.isEmpty else {
                return state.machine.handle(.bodyEnded)
            }
            (state.content, state.piece) = (.empty, bytes)
            return state.machine.handle(.pieceRead)
        }
    }

    private func redirect() {
        let (client, head, redirect) = state.withLock { ($0.client, $0.head, $0.redirect) }
        if let redirect, let head { client?.redirect(redirect, head) }
        work(.content) { load in
            guard (try? await load.clock.sleep(Self.redirectGrace)) != nil else { return }
            load.thread.perform { load.act(on: .answered) }
        }
    }

    /// - Returns: Whether the next piece is to be read.
    private func took(_ result: Result<[UInt8]?, any Error>) -> Bool {
        idle?.timer.restart()
        let action = state.withLock { state in
            switch result {
            case .success(let piece?):
                state.piece = piece
                return state.machine.handle(.pieceRead)
            case .success(nil): return state.machine.handle(.bodyEnded)
            case .failure(let error):
                state.failure = .contentBroken(error)
                return state.machine.handle(.bodyFailed)
            }
        }
        return perform(action)
    }

    /// Frees everything. Safe after the end of the source, where cancelling does nothing.
    @discardableResult
    private func letGo() -> (any LoadClient)? {
        let ended = state.withLock { state in
            defer { state = State(machine: state.machine) }
            return state
        }
        guard let client = ended.client else { return nil }
        for task in ended.work.values { task.cancel() }
        ended.content.discard()
        ended.answer?.discard()
        ended.whenOver?()
        return client
    }

    // MARK: In tasks

    /// Runs something beside the client's thread, until the load is let go.
    private func work(_ kind: Work, _ body: @escaping @Sendable (Load) async -> Void) {
        let task = Task { await body(self) }
        let isOver = state.withLock { state in
            if state.client != nil { state.work[kind] = task }
            return state.client == nil
        }
        if isOver { task.cancel() }
    }

    /// Reads and delivers until the client takes no more, or the load is over.
    private func read() async {
        var isToBeRead = true
        while isToBeRead, case .stream(let source, _) = state.withLock({ $0.content }) {
            let result: Result<[UInt8]?, any Error>
            do {
                let piece = try await source.next()
                // A source is told never to give an empty piece; the client is not to depend on that.
                if let piece, piece.isEmpty { continue }
                result = .success(piece)
            } catch {
                result = .failure(error)
            }
            isToBeRead = await thread.run { self.took(result) }
        }
    }

    private func watchTime(_ timer: ProgressTimer) async {
        while (try? await timer.wait()) != nil {
            await thread.run { self.timeIsUp(timer) }
        }
    }

    private func timeIsUp(_ timer: ProgressTimer) {
        guard timer.isUp, let idle else { return }
        state.withLock { $0.failure = .timedOut(idle.time) }
        _ = perform(handle(.answerFailed) ?? handle(.bodyFailed))
        // A client that is suspended, or thinks about a redirect, has no time-out.
        timer.restart()
    }

    private func watchSuspension() async {
        while (try? await clock.sleep(Self.suspensionCheck)) != nil {
            guard state.withLock({ $0.client })?.isSuspended == false else { continue }
            return thread.perform { self.act(on: .demanded) }
        }
    }
}
