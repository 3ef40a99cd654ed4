/// The life of one load, of a web view's scheme task or of an app's `URLProtocol`: events in, actions out.
///
/// `WKURLSchemeTask` raises an exception, which ends the app, for a second head, for content before the head, and for
/// every call after the end or after the web view has stopped the task. No sequence of events leads to such an action.
/// The head, the pieces and the errors stay with the owner; only their order is decided here.
package struct LoadMachine: Sendable {
    package enum State: Hashable, CaseIterable, Sendable {
        /// Waits for its turn. Leads to `answering`.
        case idle
        /// The answer is being made. Leads to `announcing`, `redirecting` or `failed`.
        case answering
        /// The client was told of a redirect. Leads to `stopped` if it is followed, by a load of
        /// its own, and to `announcing` if it is not: then the redirect is the answer.
        case redirecting
        /// The head has been given out, and the task is taking it.
        case announcing
        /// The next piece is being read.
        case reading
        /// The task is taking a piece.
        case delivering
        /// The task is taking a piece, and has asked for the next one before it said that it could not take more.
        case deliveringOnDemand
        /// The task takes nothing until it asks.
        case holding
        case finished
        case failed
        case stopped

        package var isOver: Bool { self == .finished || self == .failed || self == .stopped }
    }

    package enum Event: Hashable, CaseIterable, Sendable {
        /// It is the task's turn.
        case begun
        case answered, answerFailed
        /// The answer is a redirect that whoever asked follows itself. Scheme tasks have none.
        case redirected
        /// The task has returned from the head.
        case headTaken
        case pieceRead, bodyEnded, bodyFailed
        /// The task has returned from a piece, and asks for more or not.
        case pieceTaken, pieceHeld
        /// The task asks for more after it did not.
        case demanded
        /// The web view has no more use for the task.
        case stopped
        /// The whole load has taken too long.
        case timedOut
    }

    package enum Action: Hashable, Sendable {
        case makeAnswer
        case deliverHead, deliverPiece, finish, fail
        case redirect
        case readBody
    }

    package private(set) var state = State.idle

    package init() {}

    /// - Returns: The action to take now; `nil` for none. An event that means nothing in the state that it meets
    ///   changes nothing: after the end that is usual, as a piece was under way.
    package mutating func handle(_ event: Event) -> Action? {
        guard let (next, action) = Self.transition(from: state, on: event) else { return nil }
        state = next
        return action
    }

    private static func transition(from state: State, on event: Event) -> (State, Action?)? {
        switch (state, event) {
        case (_, .timedOut): state.isOver ? nil : (.failed, .fail)
        case (_, .stopped): state.isOver ? nil : (.stopped, nil)
        case (.idle, .begun): (.answering, .makeAnswer)
        case (.idle, .answerFailed): (.failed, .fail)
        case (.answering, .answered), (.redirecting, .answered): (.announcing, .deliverHead)
        case (.answering, .answerFailed): (.failed, .fail)
        case (.answering, .redirected): (.redirecting, .redirect)
        case (.announcing, .headTaken): (.reading, .readBody)
        case (.reading, .pieceRead): (.delivering, .deliverPiece)
        case (.reading, .bodyEnded): (.finished, .finish)
        case (.reading, .bodyFailed): (.failed, .fail)
        case (.delivering, .pieceTaken): (.reading, .readBody)
        case (.delivering, .pieceHeld): (.holding, nil)
        case (.delivering, .demanded): (.deliveringOnDemand, nil)
        case (.deliveringOnDemand, .pieceTaken), (.deliveringOnDemand, .pieceHeld): (.reading, .readBody)
        case (.holding, .demanded): (.reading, .readBody)
        default: nil
        }
    }
}
