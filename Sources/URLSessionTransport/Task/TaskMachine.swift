import CacheEngine
import HTTPTypes

/// One task of a session, from its creation until its response is read or given up: events in, actions out.
///
/// No clock, no network and no lock inside. What an event leads to is returned, in the order in which it is to be done.
struct TaskMachine {
    /// An action on the task or for those who wait.
    enum Action: Equatable {
        /// Tell the task to go on. The first one starts it; each later one follows a ``suspend``.
        case resume
        /// Tell the task to wait.
        case suspend
        /// Give the task up. Nothing is told to it afterwards.
        case cancel
        /// The response head is there, or will never be: see ``TaskMachine/answer``. Once.
        case answer
        /// There is something for a reader that waits.
        case wakeReader
        /// Nothing more of the request's content is wanted. What the session reads from stays open, so that what was
        /// sent does not pass for the whole.
        case stopUpload
        /// The task is over: what the session read from is closed.
        case closeUpload
    }

    /// A reader's next piece.
    enum Piece {
        case bytes([UInt8])
        case end
        case failure(any Error)
        /// Nothing is there yet.
        case wait
    }

    /// How many bytes may wait for the reader before the task is suspended; it is resumed at half of them.
    static let highWater: Int64 = 262_144

    private enum State {
        case created
        case awaitingHead
        case receiving
        /// The task has ended: what waits may still be read.
        case ended((any Error)?)
        /// Failed or cancelled: what waits is dropped. The error is what a reader gets.
        case givenUp(any Error)
    }

    private var state = State.created
    private var waiting = RecentBytes()
    private var isSuspended = false
    /// Whether the task may still be told something.
    private var isLive = true
    /// Whether the request has content that is still wanted.
    private var hasUpload: Bool
    private var hasGivenStream = false
    private var hasClosedStream = false
    private var interimCount = 0
    private var receivedBytes: Int64 = 0
    private var head: TaskHead?
    /// The content's bytes as the connection carried them, coded; from the task's metrics.
    private var transferredBytes: Int64?
    private let host: String

    init(host: String, hasUpload: Bool) {
        self.host = host
        self.hasUpload = hasUpload
    }

    /// The result for ``Action/answer``: the head, or why there is none.
    var answer: Result<TaskHead, any Error> {
        if let head { return .success(head) }
        if case .givenUp(let error) = state { return .failure(error) }
        return .failure(noAnswer)
    }

    /// Bytes that wait for the reader.
    var waitingBytes: Int64 { waiting.count }

    /// Whether a reader has to wait.
    var isEmpty: Bool {
        switch state {
        case .created, .awaitingHead, .receiving: waitingBytes == 0
        case .ended, .givenUp: false
        }
    }

    // MARK: From the sender of the request

    mutating func start() -> [Action] {
        guard case .created = state else { return [] }
        state = .awaitingHead
        return [.resume]
    }

    /// The task, or whoever reads its response, is cancelled.
    mutating func cancelled() -> [Action] { giveUp(CancellationError()) }

    /// The time until the head is up.
    mutating func timeIsUp(_ error: TransportError) -> [Action] {
        guard case .awaitingHead = state else { return [] }
        return giveUp(error)
    }

    /// The request's content can't be sent as announced.
    mutating func uploadFailed(_ error: any Error) -> [Action] {
        switch state {
        case .created, .awaitingHead: giveUp(error)
        // An origin that has answered already may have lost interest in the rest. It never gets the end of it.
        case .receiving, .ended, .givenUp: stopUpload()
        }
    }

    // MARK: From the session

    /// The session wants the request's content. It may ask again after it has lost a connection or was asked for
    /// credentials; then a part of the content is gone already.
    mutating func streamRequested() -> (isGiven: Bool, actions: [Action]) {
        switch state {
        case .created, .awaitingHead, .receiving: break
        case .ended, .givenUp: return (false, [])
        }
        guard hasUpload, !hasGivenStream else {
            let error = TransportError(
                code: .closedEarly,
                message: "The connection to '\(host)' was lost while content was on its way; it can't be sent twice.")
            return (false, giveUp(error))
        }
        hasGivenStream = true
        return (true, [])
    }

    mutating func receivedInterim(_ status: HTTPResponse.Status) -> (isPassedOn: Bool, actions: [Action]) {
        guard case .awaitingHead = state else { return (false, []) }
        interimCount += 1
        // RFC 9110 §15.2.2: only Upgrade can lead to 101, and no request here has it.
        guard status != .switchingProtocols, interimCount <= TransportRequest.interimLimit else {
            return (false, giveUp(malformed("It sent interim responses that nobody asked for.")))
        }
        return (true, [])
    }

    /// - Returns: Whether the content is wanted.
    mutating func received(_ head: TaskHead) -> (isWanted: Bool, actions: [Action]) {
        switch state {
        case .awaitingHead:
            self.head = head
            state = .receiving
            return (true, [.answer])
        case .receiving:
            // A session takes multipart/x-mixed-replace apart and reports each part as a response of its own.
            let error = malformed("Its content came in several responses, as multipart/x-mixed-replace does.")
            return (false, giveUp(error))
        case .created, .ended, .givenUp:
            return (false, [])
        }
    }

    mutating func received(_ bytes: [UInt8]) -> [Action] {
        guard !bytes.isEmpty else { return [] }
        switch state {
        case .receiving: break
        case .awaitingHead: return giveUp(malformed("Its content came before its head."))
        case .created, .ended, .givenUp: return []
        }
        receivedBytes += Int64(bytes.count)
        waiting.append(bytes)
        guard waitingBytes >= Self.highWater, !isSuspended else { return [.wakeReader] }
        isSuspended = true
        return [.suspend, .wakeReader]
    }

    /// How many bytes of content came over the connection; told before the end.
    mutating func transferred(_ bytes: Int64) { transferredBytes = bytes }

    /// The task has ended. Nothing is told to it afterwards.
    mutating func completed(_ error: (any Error)?) -> [Action] {
        isLive = false
        isSuspended = false
        var actions: [Action] = []
        switch state {
        case .created, .awaitingHead:
            state = .givenUp(error ?? noAnswer)
            actions = [.answer]
        case .receiving:
            state = .ended(error ?? truncation)
            actions = [.wakeReader]
        case .ended, .givenUp: break
        }
        actions += stopUpload()
        guard hasGivenStream, !hasClosedStream else { return actions }
        hasClosedStream = true
        return actions + [.closeUpload]
    }

    // MARK: From the reader

    mutating func take() -> (piece: Piece, actions: [Action]) {
        if case .givenUp(let error) = state { return (.failure(error), []) }
        if let first = waiting.takeFirst() {
            guard isSuspended, waitingBytes <= Self.highWater / 2 else { return (.bytes(first), []) }
            isSuspended = false
            return (.bytes(first), [.resume])
        }
        guard case .ended(let error) = state else { return (.wait, []) }
        return (error.map { .failure($0) } ?? .end, [])
    }

    // MARK: The end

    mutating func giveUp(_ error: any Error) -> [Action] {
        let isAwaited: Bool
        switch state {
        case .created, .awaitingHead: isAwaited = true
        case .receiving, .ended: isAwaited = false
        case .givenUp: return []
        }
        state = .givenUp(error)
        waiting = RecentBytes()
        var actions: [Action] = isLive ? [.cancel] : []
        isLive = false
        isSuspended = false
        actions += isAwaited ? [.answer] : [.wakeReader]
        return actions + stopUpload()
    }

    private mutating func stopUpload() -> [Action] {
        defer { hasUpload = false }
        return hasUpload ? [.stopUpload] : []
    }

    /// The content's shortfall, if known: a session may report an end where there was none.
    private var truncation: TransportError? {
        guard let head, let length = head.contentLength else { return nil }
        guard let received = head.isDecoded ? transferredBytes : receivedBytes, received < length else { return nil }
        return TransportError(
            code: .closedEarly, message: "'\(host)' closed the connection before its response was complete.")
    }

    private var noAnswer: TransportError {
        TransportError(code: .closedEarly, message: "'\(host)' closed the connection without a response.")
    }

    private func malformed(_ what: String) -> TransportError {
        TransportError(code: .malformedResponse, message: "'\(host)' sent no valid HTTP response. \(what)")
    }
}
