/// Where the answer to a step comes from, and what the origin says if it is asked.
enum Outcome: Sendable {
    /// From the store; the origin is not asked.
    case stored
    /// From the origin, which is asked once.
    case asked(Answer)
    /// From the origin, which is asked twice: its first answer could not be used.
    case askedAgain(Answer, Answer)
    /// From the store, after the origin was asked once with a condition.
    case validated(Answer)
    /// From the store, after the origin was asked and failed.
    case storedAfter(Answer)
    /// From the store at once; in the background the origin is asked once.
    case storedThenAsked(Answer)
    /// From the origin and perhaps the store; the checks say what the client gets.
    case completed(Answer)
    /// An error answer of the cache with this status; the origin is not asked.
    case refused(Int)
    /// An error answer of the cache with this status, after the origin was asked.
    case failed(Answer, Int)
    /// The client's message ends before it is complete.
    case cutOff(Answer)
    /// From wherever the cache likes; only the checks decide.
    case either(Answer)

    /// What the origin says, in order; the last is repeated.
    var answers: [Answer] {
        switch self {
        case .stored, .refused: []
        case .asked(let answer), .validated(let answer), .storedAfter(let answer), .storedThenAsked(let answer),
            .completed(let answer), .failed(let answer, _), .cutOff(let answer), .either(let answer):
            [answer]
        case .askedAgain(let first, let second): [first, second]
        }
    }
}
