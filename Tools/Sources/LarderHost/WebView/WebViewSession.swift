import Foundation
import Locking
import WebVisit

/// A web view that is kept for many navigations, in a process of its own.
public final class WebViewSession: Sendable {
    private struct State {
        var lastID = 0
        var steps: [Int: CheckedContinuation<SessionResult, any Error>] = [:]
        var ready: CheckedContinuation<Void, any Error>?
        var exchanges: [ExchangeLine] = []
        var notices: [SessionNotice] = []
        /// Why nothing more can be asked; `nil` while the session lasts.
        var end: HostError?
    }

    private let child: HelperProgram
    private let state = LockedBox(State())
    private let reading = LockedBox<Task<Void, Never>?>(nil)

    /// Starts the process and opens the view, which is empty at first.
    ///
    /// - Parameters:
    ///   - display: The X display, where the platform needs one.
    ///   - program: The web-view program beside this one; `larder-webview` unless set.
    /// - Throws: ``HostError``: with ``HostError/Code/badUse`` for a mode that the web-view program does not have, and
    ///   for a cache that can't be opened.
    public static func start(
        _ request: SessionRequest, display: String?, program: String = "larder-webview"
    ) async throws -> WebViewSession {
        let session = WebViewSession(try WebViewProcess.startProgram(program, display: display))
        try await session.open(request)
        return session
    }

    private init(_ child: HelperProgram) { self.child = child }

    /// What the system calls the process that holds the web view. WebKit's own processes are its children.
    public var processIdentifier: Int32 { child.processIdentifier }

    private func open(_ request: SessionRequest) async throws {
        reading.withLock { $0 = Task { [self] in await read() } }
        try await withCheckedThrowingContinuation { continuation in
            state.withLock { $0.ready = continuation }
            send(.session(request))
        }
    }

    /// Does a step, and returns when the page has settled.
    ///
    /// - Throws: ``HostError``: the process has ended.
    @discardableResult
    public func perform(_ step: SessionStep) async throws -> SessionResult {
        try await withCheckedThrowingContinuation { continuation in
            let id = state.withLock { state -> Int? in
                guard state.end == nil else { return nil }
                state.lastID += 1
                state.steps[state.lastID] = continuation
                return state.lastID
            }
            if let id {
                send(.step(SessionCommand(id: id, step: step)))
            } else {
                continuation.resume(throwing: state.withLock { $0.end } ?? Self.over(""))
            }
        }
    }

    /// The exchanges with the cache since the last call, in the order of their starts.
    public func takeExchanges() -> [ExchangeLine] {
        state.withLock { state in
            defer { state.exchanges = [] }
            return state.exchanges.sorted { $0.start < $1.start }
        }
    }

    /// What pages wanted of their app since the last call.
    public func takeNotices() -> [SessionNotice] {
        state.withLock { state in
            defer { state.notices = [] }
            return state.notices
        }
    }

    /// Ends the session; returns when all that had arrived is stored, and the process is gone.
    public func end() async {
        send(.end)
        await reading.withLock { $0 }?.value
        child.terminate()
    }

    private func send(_ command: VisitCommand) {
        do {
            try child.write(try JSONLine.encode(command))
        } catch {
            finish(HostError(code: .fault, message: "The web view process has ended: \(child.errorText)", cause: error))
        }
    }

    private func read() async {
        for await line in child.lines {
            let event: VisitEvent
            do {
                event = try JSONLine.decode(VisitEvent.self, from: line)
            } catch {
                // It may have been the answer to a step, which nobody must wait for.
                finish(HostError(code: .fault, message: "The web view process can't be understood.", cause: error))
                continue
            }
            switch event {
            case .ready: state.withLock { state in state.ready.take() }?.resume()
            case .stepped(let result):
                state.withLock { $0.steps.removeValue(forKey: result.id) }?.resume(returning: result)
            case .exchange(let exchange): state.withLock { $0.exchanges.append(exchange) }
            case .notice(let notice): state.withLock { $0.notices.append(notice) }
            case .failed(let failure):
                let isUse = [.noDisplay, .badRequest, .unsupported].contains(failure.code)
                finish(HostError(code: isUse ? .badUse : .fault, message: failure.message, cause: failure))
            case .trusted, .finished, .cleared: continue
            }
        }
        finish(Self.over(child.errorText))
    }

    private func finish(_ error: HostError) {
        let (steps, ready) = state.withLock {
            state -> ([CheckedContinuation<SessionResult, any Error>], CheckedContinuation<Void, any Error>?) in
            if state.end == nil { state.end = error }
            defer { state.steps = [:] }
            return (Array(state.steps.values), state.ready.take())
        }
        ready?.resume(throwing: error)
        for step in steps { step.resume(throwing: error) }
    }

    private static func over(_ text: String) -> HostError {
        HostError(code: .fault, message: "The web view process has ended. \(text)")
    }
}
