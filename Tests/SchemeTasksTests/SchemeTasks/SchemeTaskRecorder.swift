import HTTPTypes
import Testing

@testable import Fetching
@testable import SchemeTasks
@testable import WebTesting

/// A task that records a call wherever `WKURLSchemeTask` would raise an exception.
@MainActor
final class SchemeTaskRecorder: SchemeTask {
    enum Call: Hashable {
        case head(Int)
        case piece([UInt8])
        case finish
        case fail(SchemeTaskError.Code)
    }

    private(set) var calls: [Call] = []
    private(set) var isStopped = false
    private(set) var isHolding = false
    /// Whether the task takes the piece with this number, counted from zero.
    var takes: (Int) -> Bool = { _ in true }
    /// Runs within each call, before it returns.
    var whenCalled: (Call) -> Void = { _ in }

    var isOver: Bool {
        switch calls.last {
        case .finish, .fail: true
        default: false
        }
    }

    var pieces: [[UInt8]] {
        calls.compactMap { if case .piece(let bytes) = $0 { bytes } else { nil } }
    }

    var bytes: [UInt8] { Array(pieces.joined()) }

    /// To be called right after the driver was told to stop it.
    func stopped() { isStopped = true }

    /// To be called right before the driver is told to proceed.
    func proceeds() { isHolding = false }

    func receive(_ head: HTTPResponse) {
        called(.head(head.status.code))
    }

    func receive(_ piece: [UInt8]) -> LoadDemand {
        isHolding = !takes(pieces.count)
        let demand: LoadDemand = isHolding ? .later : .more
        called(.piece(piece))
        return demand
    }

    func finish() { called(.finish) }

    func fail(_ error: SchemeTaskError) { called(.fail(error.code)) }

    private func called(_ call: Call) {
        let isFirst = calls.isEmpty
        if isStopped { Issue.record("\(call) after stop") }
        if isOver { Issue.record("\(call) after the end") }
        switch call {
        case .head: if !isFirst { Issue.record("a second head, or one after the content") }
        case .piece(let bytes):
            if isFirst { Issue.record("content before the head") }
            if bytes.isEmpty { Issue.record("an empty piece") }
        case .finish:
            if isFirst { Issue.record("the end before the head") }
            if isHolding { Issue.record("the end while the task takes nothing") }
        case .fail: break
        }
        calls.append(call)
        whenCalled(call)
    }
}
