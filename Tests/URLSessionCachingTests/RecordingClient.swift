import CacheEngine
import CacheTesting
import HTTPTypes
import Locking
import Testing

@testable import Fetching
@testable import URLSessionCaching

/// Keeps what it is called, and records calls that a client of `URLProtocol` must not get.
final class RecordingClient: LoadClient {
    enum Call: Hashable, Sendable {
        case head(Int)
        case piece([UInt8])
        case redirect(LoadRedirect)
        case finish
        case fail(String)
    }

    private struct State: Sendable {
        var calls: [Call] = []
        var faults: [String] = []
        var isStopped = false
        var whenCalled: @Sendable (Call) -> Void = { _ in }
    }

    let followsRedirects: Bool
    private let suspended = LockedBox(false)
    private let state = WatchedValue(State())

    init(followsRedirects: Bool = true) { self.followsRedirects = followsRedirects }

    var isSuspended: Bool {
        get { suspended.withLock { $0 } }
        set { suspended.withLock { $0 = newValue } }
    }

    var calls: [Call] { state.value.calls }
    var faults: [String] { state.value.faults }
    var isStopped: Bool { state.value.isStopped }
    var isOver: Bool { Self.isOver(calls) }
    var bytes: [UInt8] {
        calls.reduce(into: []) { all, call in
            if case .piece(let bytes) = call { all += bytes }
        }
    }

    private static func isOver(_ calls: [Call]) -> Bool {
        switch calls.last {
        case .finish?, .fail?: true
        default: false
        }
    }

    /// Runs within each call, before it returns.
    func whenCalled(_ body: @escaping @Sendable (Call) -> Void) { state.update { $0.whenCalled = body } }

    /// To be called on the load's thread right after it was stopped.
    func stopped() { state.update { $0.isStopped = true } }

    func calls(_ condition: @escaping @Sendable ([Call]) -> Bool) async throws {
        try await state.wait { condition($0.calls) }
    }

    func receive(_ head: HTTPResponse) { called(.head(head.status.code)) }
    func receive(_ piece: [UInt8]) -> LoadDemand {
        called(.piece(piece))
        return isSuspended ? .whenResumed : .more
    }
    func redirect(_ redirect: LoadRedirect, _ head: HTTPResponse) { called(.redirect(redirect)) }
    func finish() { called(.finish) }
    func fail(_ failure: LoadFailure) { called(.fail(EngineError(loading: failure).code.name)) }

    private func called(_ call: Call) {
        let then = state.update { state -> @Sendable (Call) -> Void in
            if state.isStopped { state.faults.append("\(call) after stop") }
            if Self.isOver(state.calls) { state.faults.append("\(call) after the end") }
            let hasHead = state.calls.contains { if case .head = $0 { true } else { false } }
            switch call {
            case .head: if hasHead { state.faults.append("a second head") }
            case .piece(let bytes):
                if !hasHead || bytes.isEmpty { state.faults.append("a piece before the head, or an empty one") }
            case .redirect: if !state.calls.isEmpty { state.faults.append("a redirect that is not first") }
            case .finish: if !hasHead { state.faults.append("an end without a head") }
            case .fail: break
            }
            state.calls.append(call)
            return state.whenCalled
        }
        then(call)
    }
}
