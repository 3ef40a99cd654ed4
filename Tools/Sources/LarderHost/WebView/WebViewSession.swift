import CacheEngine
import Fetching
import Foundation
import Locking
import ResponseStore
import WebVisit

/// A web view that is kept for many navigations, in a process of its own.
package final class WebViewSession: Sendable {
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
    private let view: VisitRequest
    /// The directory of the process's own store, if it has one.
    private let storeDirectory: String?
    private let clock: EngineClock
    private let state = LockedBox(State())
    private let reading = LockedBox<Task<Void, Never>?>(nil)

    /// Starts the process and opens the view, which is empty at first.
    ///
    /// - Parameters:
    ///   - display: The display that the view paints on.
    ///   - program: The web-view program beside this one; `larder-webview` unless set.
    ///   - clock: Keeps the limits of time where the process does not.
    /// - Throws: ``HostError``: with ``HostError/Code/badUse`` for a mode that the web-view program does not have, and
    ///   for a cache that can't be opened.
    package static func start(
        _ request: SessionRequest, display: Display, program: String = "larder-webview", clock: EngineClock = .system
    ) async throws -> WebViewSession {
        let child = try WebViewProcess.startProgram(program, display: display, density: request.view.density)
        let session = WebViewSession(child, request, clock)
        try await session.open(request)
        return session
    }

    private init(_ child: HelperProgram, _ request: SessionRequest, _ clock: EngineClock) {
        (self.child, self.clock) = (child, clock)
        (view, storeDirectory) = (request.view, request.cache?.storeDirectory)
    }

    /// The number of the web view's process. WebKit's own processes are its children.
    package var processIdentifier: Int32 { child.processIdentifier }

    private func open(_ request: SessionRequest) async throws {
        try await limited(to: HelperLimits.other) {
            try await withCheckedThrowingContinuation { continuation in
                self.state.withLock { $0.ready = continuation }
                // Not before, or a process that is ready at once is not heard.
                self.reading.withLock { $0 = Task { [self] in await read() } }
                self.send(.session(request))
            }
        } overdue: {
            self.finish(Self.overdue)
        }
    }

    /// Ends the process, whatever it does, where the work takes longer.
    private func limited<Result: Sendable>(
        to limit: Duration, _ work: () async throws -> Result, overdue: @escaping @Sendable () -> Void
    ) async throws -> Result {
        let watch = Task { [child, clock] in
            try await clock.sleep(limit)
            overdue()
            await child.end(within: HelperLimits.killing, by: clock)
        }
        defer { watch.cancel() }
        return try await work()
    }

    private static let overdue = HostError(
        code: .fault, message: "The web view process did not keep the limit of time, and was ended.")

    /// Does a step, and returns when the page has settled. A process that does not keep the view's limits is ended,
    /// whatever it does, and the result says so (``VisitEnding/overdue``).
    ///
    /// - Throws: ``HostError``: the process has ended.
    @discardableResult
    package func perform(_ step: SessionStep) async throws -> SessionResult {
        var (hasScript, url) = (false, "about:blank")
        if case .run = step { hasScript = true }
        if case .open(let opened) = step { url = URLUserinfo.removed(from: opened) }
        // The limit may have passed before the step was even noted, on a busy machine.
        let isOverdue = LockedBox(false)
        do {
            return try await limited(to: HelperLimits.visit(view, hasScript: hasScript)) {
                try await result(of: step)
            } overdue: {
                isOverdue.withLock { $0 = true }
                self.finish(Self.overdue)
            }
        } catch  where isOverdue.withLock({ $0 }) {
            return SessionResult(
                id: 0, seen: HelperLimits.overdue(url), canGoBack: false, canGoForward: false, openTasks: 0)
        }
    }

    private func result(of step: SessionStep) async throws -> SessionResult {
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
    package func takeExchanges() -> [ExchangeLine] {
        state.withLock { state in
            defer { state.exchanges = [] }
            return state.exchanges.sorted { $0.start < $1.start }
        }
    }

    /// The pages' notices to their app since the last call.
    package func takeNotices() -> [SessionNotice] {
        state.withLock { state in
            defer { state.notices = [] }
            return state.notices
        }
    }

    /// Ends the session; returns when all that had arrived is stored, and the process is gone, with what it had
    /// received in part.
    package func end() async {
        send(.end)
        let watch = Task { [child, clock] in
            try await clock.sleep(HelperLimits.other)
            await child.end(within: HelperLimits.killing, by: clock)
        }
        await reading.withLock { $0 }?.value
        watch.cancel()
        await child.end(within: HelperLimits.other, by: clock)
        // A page that was cut off by its limit may leave gigabytes, which nobody else removes before the next start.
        if let storeDirectory { DiskResponseStore.removeAbandonedBodies(in: storeDirectory) }
    }

    private func send(_ command: VisitCommand) {
        do {
            child.write(try JSONLine.encode(command))
        } catch {
            finish(HostError(code: .fault, message: "A command can't be written as JSON.", cause: error))
        }
    }

    private func read() async {
        do {
            for try await line in child.lines { take(line) }
            finish(Self.over(child.errorText))
        } catch {
            finish(HostError(code: .fault, message: "The web view process can't be understood. \(error)", cause: error))
        }
    }

    private func take(_ line: Data) {
        let event: VisitEvent
        do {
            event = try JSONLine.decode(VisitEvent.self, from: line)
        } catch {
            // It may have been the answer to a step, which nobody must wait for.
            return finish(HostError(code: .fault, message: "The web view process can't be understood.", cause: error))
        }
        switch event {
        case .ready: state.withLock { state in state.ready.take() }?.resume()
        case .stepped(let result):
            state.withLock { $0.steps.removeValue(forKey: result.id) }?.resume(returning: result)
        case .exchange(let exchange):
            state.withLock { if $0.exchanges.count < Self.recordLimit { $0.exchanges.append(exchange) } }
        case .notice(let notice):
            state.withLock { if $0.notices.count < Self.recordLimit { $0.notices.append(notice) } }
        case .failed(let failure): finish(HostError(failure))
        case .trusted, .finished, .cleared: break
        }
    }

    /// Exchanges, and notices, that are kept until they are taken; a page can cause any number.
    private static let recordLimit = 100_000

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
