import CacheTesting
import Testing

@testable import Fetching
@testable import WebTesting

@Suite("The order of calls on a load (WKURLSchemeTask: wrong ones raise an exception)")
struct LoadMachineTests {
    private typealias Machine = LoadMachine
    private typealias State = LoadMachine.State

    struct Row: Sendable, CustomTestStringConvertible {
        var from: LoadMachine.State
        var event: LoadMachine.Event
        var to: LoadMachine.State
        var action: LoadMachine.Action?
        var testDescription: String { "\(event) in \(from)" }
    }

    /// The whole table; an event in a state that is not here changes nothing.
    private static let rows =
        [
            Row(from: .idle, event: .begun, to: .answering, action: .makeAnswer),
            Row(from: .idle, event: .answerFailed, to: .failed, action: .fail),
            Row(from: .idle, event: .stopped, to: .stopped, action: nil),
            Row(from: .answering, event: .answered, to: .announcing, action: .deliverHead),
            Row(from: .answering, event: .answerFailed, to: .failed, action: .fail),
            Row(from: .answering, event: .redirected, to: .redirecting, action: .redirect),
            Row(from: .answering, event: .stopped, to: .stopped, action: nil),
            Row(from: .redirecting, event: .answered, to: .announcing, action: .deliverHead),
            Row(from: .redirecting, event: .stopped, to: .stopped, action: nil),
            Row(from: .announcing, event: .headTaken, to: .reading, action: .readBody),
            Row(from: .announcing, event: .stopped, to: .stopped, action: nil),
            Row(from: .reading, event: .pieceRead, to: .delivering, action: .deliverPiece),
            Row(from: .reading, event: .bodyEnded, to: .finished, action: .finish),
            Row(from: .reading, event: .bodyFailed, to: .failed, action: .fail),
            Row(from: .reading, event: .stopped, to: .stopped, action: nil),
            Row(from: .delivering, event: .pieceTaken, to: .reading, action: .readBody),
            Row(from: .delivering, event: .pieceHeld, to: .holding, action: nil),
            Row(from: .delivering, event: .demanded, to: .deliveringOnDemand, action: nil),
            Row(from: .delivering, event: .stopped, to: .stopped, action: nil),
            Row(from: .deliveringOnDemand, event: .pieceTaken, to: .reading, action: .readBody),
            Row(from: .deliveringOnDemand, event: .pieceHeld, to: .reading, action: .readBody),
            Row(from: .deliveringOnDemand, event: .stopped, to: .stopped, action: nil),
            Row(from: .holding, event: .demanded, to: .reading, action: .readBody),
            Row(from: .holding, event: .stopped, to: .stopped, action: nil),
        ] + State.allCases.filter { !$0.isOver }.map { Row(from: $0, event: .timedOut, to: .failed, action: .fail) }

    /// Events that lead to each state.
    private static func machine(in state: State) -> Machine {
        let streaming: [Machine.Event] = [.begun, .answered, .headTaken]
        let events: [Machine.Event] =
            switch state {
            case .idle: []
            case .answering: [.begun]
            case .redirecting: [.begun, .redirected]
            case .announcing: [.begun, .answered]
            case .reading: streaming
            case .delivering: streaming + [.pieceRead]
            case .deliveringOnDemand: streaming + [.pieceRead, .demanded]
            case .holding: streaming + [.pieceRead, .pieceHeld]
            case .finished: streaming + [.bodyEnded]
            case .failed: [.begun, .answerFailed]
            case .stopped: [.begun, .stopped]
            }
        var machine = Machine()
        for event in events { _ = machine.handle(event) }
        return machine
    }

    @Test("every event in every state: a step of the table, or nothing")
    func table() {
        var steps = 0
        for state in State.allCases {
            for event in Machine.Event.allCases {
                var machine = Self.machine(in: state)
                #expect(machine.state == state)
                let action = machine.handle(event)
                let row = Self.rows.first { $0.from == state && $0.event == event }
                steps += row == nil ? 0 : 1
                #expect(machine.state == row?.to ?? state, "\(event) in \(state)")
                #expect(action == row?.action, "\(event) in \(state)")
            }
        }
        #expect(steps == Self.rows.count)
    }

    @Test("events in any order never give a wrong order of calls")
    func anyOrder() {
        var random = SplitMix64(seed: 1)
        for _ in 0..<RandomOrders.count {
            var machine = Machine()
            var (heads, ends, isOver) = (0, 0, false)
            for _ in 0..<24 {
                let event = Machine.Event.allCases.randomElement(using: &random) ?? .stopped
                let action = machine.handle(event)
                // Expectations are slow, so only what is wrong is recorded.
                if isOver, let action { Issue.record("\(action) after the end, on \(event)") }
                switch action {
                case .deliverHead: heads += 1
                case .deliverPiece: if heads != 1 { Issue.record("a piece before the head") }
                case .finish:
                    if heads != 1 { Issue.record("the end before the head") }
                    ends += 1
                case .fail: ends += 1
                default: break
                }
                isOver = machine.state.isOver
            }
            if heads > 1 || ends > 1 { Issue.record("\(heads) heads and \(ends) ends") }
        }
    }
}
