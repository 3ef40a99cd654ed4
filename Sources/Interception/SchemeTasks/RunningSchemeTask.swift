import CacheEngine
import Fetching
import HTTPTypes

/// One scheme task with what belongs to it; does what ``LoadMachine`` says.
///
/// Between two suspensions everything happens on the main actor, where the web view stops tasks. The state is looked at
/// after each suspension and after each call of the task, so a stop is seen before anything else is called.
@MainActor
final class RunningSchemeTask {
    private enum Content {
        case none
        case bytes([UInt8])
        case source(any BodySource)
    }

    /// What a task counts against.
    enum Place {
        /// Its answer is at hand.
        case unneeded
        case queue, running
    }

    let id: SchemeTaskID
    var place = Place.unneeded
    /// Called once, when the task is over and has been let go.
    private let whenOver: @MainActor (RunningSchemeTask) -> Void
    private var machine = LoadMachine()
    private var task: (any SchemeTask)?
    private var answer: SchemeAnswer?
    private var content = Content.none
    /// What the next action delivers.
    private var (head, piece, failure): (HTTPResponse?, [UInt8], SchemeTaskError?) = (nil, [], nil)
    /// Makes the answer and reads the source; at most one at a time.
    private var work: Task<Void, Never>?
    private var limit: Task<Void, Never>?

    init(
        _ id: SchemeTaskID, _ task: any SchemeTask, _ answer: SchemeAnswer,
        whenOver: @escaping @MainActor (RunningSchemeTask) -> Void
    ) {
        self.id = id
        self.task = task
        self.answer = answer
        self.whenOver = whenOver
    }

    var isWaiting: Bool { machine.state == .idle }

    func begin() {
        let isToBeRead = perform(machine.handle(.begun))
        if isToBeRead { readInTask() }
    }

    /// The task asks for more.
    func proceed() {
        let isToBeRead = perform(machine.handle(.demanded))
        if isToBeRead { readInTask() }
    }

    /// Fails the task once so much time has passed.
    func limit(to time: Duration, _ sleep: @escaping @Sendable (Duration) async throws -> Void) {
        limit = Task { [weak self] in
            do { try await sleep(time) } catch { return }
            self?.fail(SchemeTaskError(code: .timedOut, message: "The page's own time-out has passed."))
        }
    }

    private func fail(_ error: SchemeTaskError) {
        guard let task else { return }
        letGo()
        task.fail(error)
    }

    func stop() {
        _ = perform(machine.handle(.stopped))
        if machine.state == .stopped { letGo() }
    }

    /// Ends a task that has not begun.
    func refuse(_ error: SchemeTaskError) {
        failure = error
        _ = perform(machine.handle(.answerFailed))
    }

    // MARK: - Actions

    /// Does one action after the other, as long as that needs no waiting.
    ///
    /// - Returns: Whether the next piece has to be read from a source, in a `Task`.
    private func perform(_ first: LoadMachine.Action?) -> Bool {
        var next = first
        while let action = next {
            switch action {
            case .makeAnswer: next = makeAnswer()
            case .deliverHead:
                if let head { task?.receive(head) }
                head = nil
                next = machine.handle(.headTaken)
            case .readBody:
                if case .source = content { return true }
                next = readMemory()
            case .deliverPiece:
                let demand = task?.receive(takePiece()) ?? .later
                next = machine.handle(demand == .more ? .pieceTaken : .pieceHeld)
            case .finish:
                let task = task
                letGo()
                task?.finish()
                return false
            case .fail:
                let (task, failure) = (task, failure)
                letGo()
                if let failure { task?.fail(failure) }
                return false
            // What `letGo` does; and no answer here is a redirect.
            case .cancelAnswer, .cancelBody, .redirect: return false
            }
        }
        return false
    }

    private func makeAnswer() -> LoadMachine.Action? {
        defer { answer = nil }
        switch answer {
        case .ready(let response): return answered(.success(response))
        case .failed(let error): return answered(.failure(error))
        case .pending(let make):
            work = Task {
                let result = await make()
                if self.perform(self.answered(result)) { await self.readSource() }
            }
            return nil
        case nil: return nil
        }
    }

    private func answered(_ result: Result<SchemeResponse, SchemeTaskError>) -> LoadMachine.Action? {
        switch result {
        case .failure(let error):
            failure = error
            return machine.handle(.answerFailed)
        case .success(let response):
            guard let action = machine.handle(.answered) else {
                response.body.discard()
                return nil
            }
            head = response.head
            content =
                switch response.body {
                case .empty: .none
                case .bytes(let bytes): bytes.isEmpty ? .none : .bytes(bytes)
                case .file, .stream: .source(response.body.makeSource())
                }
            return action
        }
    }

    private func readMemory() -> LoadMachine.Action? {
        guard case .bytes(let bytes) = content else { return machine.handle(.bodyEnded) }
        content = .none
        piece = bytes
        return machine.handle(.pieceRead)
    }

    private func takePiece() -> [UInt8] {
        defer { piece = [] }
        return piece
    }

    // MARK: - Reading a source

    private func readInTask() {
        work = Task { await self.readSource() }
    }

    /// Reads and delivers until the task takes no more, or is over.
    private func readSource() async {
        var isToBeRead = true
        while isToBeRead, case .source(let source) = content {
            let action: LoadMachine.Action?
            do {
                let next = try await source.next()
                // A source is told never to give an empty piece; the web view is not to depend on that.
                if let next, next.isEmpty { continue }
                piece = next ?? []
                action = machine.handle(next == nil ? .bodyEnded : .pieceRead)
            } catch {
                failure = SchemeTaskError(
                    code: .bodyBroken, message: "The content broke off; loading it again may help.", cause: error)
                action = machine.handle(.bodyFailed)
            }
            isToBeRead = perform(action)
        }
    }

    /// Frees everything and tells the owner. Safe after the end of the source, where cancelling does nothing.
    private func letGo() {
        guard task != nil else { return }
        task = nil
        work?.cancel()
        limit?.cancel()
        (work, limit) = (nil, nil)
        if case .source(let source) = content { source.cancel() }
        if case .ready(let response)? = answer { response.body.discard() }
        (content, answer, head, piece, failure) = (.none, nil, nil, [], nil)
        whenOver(self)
    }
}
