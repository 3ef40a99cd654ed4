import CacheTesting
import HTTPCacheSemantics
import Locking

/// What the origin says to whom, and what it was asked: shared by the origin's connections, the transport and the run.
final class OriginScript: Sendable {
    private struct Line {
        var answers: [Answer] = []
        var number = 0
        var placeholders: Placeholders
        var takes = 0
        var requests: [Message] = []
        var clientHas = 0
        /// What goes on when the client has so many bytes.
        var paused: (count: Int, goOn: @Sendable () -> Void)?
    }

    private struct State {
        var lines: [String: Line] = [:]
        var isHeld = false
        var held: [@Sendable () -> Void] = []
    }

    /// What the origin does about one request.
    struct Reply: Sendable {
        var answer: Answer
        /// The body, where the answer leaves it open.
        var ownBody: String
        var placeholders: Placeholders
    }

    private let state = LockedBox(State())
    private let clock: ManualClock

    init(clock: ManualClock) {
        self.clock = clock
    }

    var now: WallInstant { clock.now }

    /// Says what a scenario's requests are answered with from now on.
    func prepare(_ token: String, _ step: Step, number: Int, _ placeholders: Placeholders) {
        state.withLock { state in
            state.lines[token] = Line(
                answers: step.outcome.answers, number: number, placeholders: placeholders, takes: step.takes)
        }
    }

    /// The requests of a scenario since ``prepare(_:_:number:_:)``.
    func requests(_ token: String) -> [Message] {
        state.withLock { $0.lines[token]?.requests ?? [] }
    }

    /// Whether connections for this scenario are refused. Counts as being asked.
    func refuses(_ token: String, _ request: Message) -> Bool {
        state.withLock { state in
            guard let line = state.lines[token], let answer = Self.answer(line), answer.failure == .unreachable else {
                return false
            }
            state.lines[token]?.requests.append(request)
            return true
        }
    }

    private static func answer(_ line: Line) -> Answer? {
        line.answers.isEmpty ? nil : line.answers[min(line.requests.count, line.answers.count - 1)]
    }

    /// Notes a request and finds its answer; `nil` where none was expected. Time passes where the step says so.
    func reply(_ token: String, _ request: Message) -> Reply? {
        let (reply, takes) = state.withLock { state -> (Reply?, Int) in
            guard let line = state.lines[token] else { return (nil, 0) }
            state.lines[token]?.requests.append(request)
            guard let answer = Self.answer(line) else { return (nil, 0) }
            let again = line.answers.count > 1 && line.requests.count > 0 ? " again" : ""
            var placeholders = line.placeholders
            placeholders.request = line.requests.count + 1
            let reply = Reply(
                answer: answer, ownBody: "\(token), step \(line.number)\(again)", placeholders: placeholders)
            return (reply, line.takes)
        }
        if takes > 0 { clock.advance(by: .seconds(takes)) }
        return reply
    }

    // MARK: At once

    /// From now on requests wait.
    func hold() {
        state.withLock { $0.isHeld = true }
    }

    /// Answers the requests that wait; later ones are answered as they come.
    func release() {
        let held = state.withLock { state in
            defer { (state.isHeld, state.held) = (false, []) }
            return state.held
        }
        for goOn in held { goOn() }
    }

    func whenReleased(_ goOn: @escaping @Sendable () -> Void) {
        let isHeld = state.withLock { state in
            if state.isHeld { state.held.append(goOn) }
            return state.isHeld
        }
        if !isHeld { goOn() }
    }

    // MARK: Pauses

    /// Calls back when the client has so many bytes of the body.
    func pause(_ token: String, until count: Int, _ goOn: @escaping @Sendable () -> Void) {
        let isThere = state.withLock { state -> Bool in
            if state.lines[token]?.clientHas ?? count >= count { return true }
            state.lines[token]?.paused = (count, goOn)
            return false
        }
        if isThere { goOn() }
    }

    func clientHas(_ token: String, _ count: Int) {
        let goOn = state.withLock { state -> (@Sendable () -> Void)? in
            state.lines[token]?.clientHas = count
            guard let paused = state.lines[token]?.paused, count >= paused.count else { return nil }
            state.lines[token]?.paused = nil
            return paused.goOn
        }
        goOn?()
    }
}
