import CacheEngine
import Fetching
import Foundation
import Locking
import WebVisit

/// One visit in a web view process of its own: started, told what to trust, asked for its result.
package final class WebViewProcess: Sendable {
    private struct State {
        var lastID = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var isOver = false
        var isOverdue = false
    }

    private let child: HelperProgram
    private let clock: EngineClock
    private let state = LockedBox(State())

    /// - Parameters:
    ///   - display: The display that the view paints on.
    ///   - density: See `VisitRequest.density`.
    ///   - clock: Keeps the limit of time where the process does not.
    /// - Throws: ``HostError/Code/badUse`` when the program `larder-webview` is not beside this one.
    package init(display: Display, density: Int = 1, clock: EngineClock = .system) throws {
        self.clock = clock
        child = try Self.startProgram(display: display, density: density)
    }

    /// Starts the web-view program, which then waits for its first command.
    static func startProgram(
        _ name: String = "larder-webview", display: Display, density: Int
    ) throws -> HelperProgram {
        let environment = ProcessInfo.processInfo.environment
        guard let program = environment["LARDER_WEBVIEW"] ?? Executable.besideUs(name) else {
            throw HostError(
                code: .badUse,
                message: "The program \(name) is not beside larder; build it with `make demo`, or name it in "
                    + "LARDER_WEBVIEW.")
        }
        var childEnvironment = environment.merging(display.environment) { $1 }
        childEnvironment["NO_AT_BRIDGE"] = "1"
        childEnvironment["WEBKIT_DISABLE_COMPOSITING_MODE"] = "1"
        if density > 1 { childEnvironment["GDK_SCALE"] = String(density) }
        return try HelperProgram(program, [], environment: childEnvironment)
    }

    /// The system's number for the process. WebKit's own processes are its children.
    var processIdentifier: Int32 { child.processIdentifier }

    /// Ends the process at once, whatever it is doing; a visit throws then.
    func stop() { finish() }

    /// Runs the visit and returns what was seen. A process that does not keep the visit's limits is ended, whatever it
    /// does, and the result says so (``VisitEnding/overdue``).
    ///
    /// - Throws: ``HostError``: the web view could not be used at all. A page that fails to load is a result.
    package func visit(_ request: VisitRequest) async throws -> VisitResult {
        let limit = HelperLimits.visit(request, hasScript: request.script != nil)
        switch try await end(
            of: .visit(request), within: limit, keepsData: request.dataDirectory != nil)
        {
        case .finished(let result): return result
        case nil: return HelperLimits.overdue(URLUserinfo.removed(from: request.url))
        default: throw noResult
        }
    }

    /// Removes what a data directory holds of some kinds; returns when it is gone.
    ///
    /// - Throws: ``HostError``: nothing was removed, with ``HostError/Code/badUse`` where the web view has no way to.
    package func clear(_ clearing: WebsiteDataClearing) async throws {
        guard
            case .cleared = try await end(
                of: .clear(clearing), within: HelperLimits.other, keepsData: true)
        else { throw noResult }
    }

    /// The last event of a process after its one task; `nil` if its time was over.
    ///
    /// - Parameter keepsData: Whether a folder is kept, in which its parts write until they end. The next visit may
    ///   begin only then.
    private func end(
        of command: VisitCommand, within limit: Duration, keepsData: Bool
    ) async throws -> VisitEvent? {
        defer { finish() }
        child.write(try JSONLine.encode(command))
        let watch = Task { [child, clock, state] in
            try await clock.sleep(limit)
            state.withLock { $0.isOverdue = true }
            await child.end(within: HelperLimits.killing, by: clock)
        }
        defer { watch.cancel() }
        for try await line in child.lines {
            guard let event = try? JSONLine.decode(VisitEvent.self, from: line) else { continue }
            switch event {
            case .trusted(let id): state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
            case .finished, .cleared:
                if keepsData { await child.ended() }
                return event
            case .ready, .stepped, .exchange, .notice: continue
            case .failed(let failure): throw HostError(failure)
            }
        }
        if state.withLock({ $0.isOverdue }) { return nil }
        throw noResult
    }

    private var noResult: HostError {
        HostError(code: .fault, message: "The web view process ended without a result: \(child.errorText)")
    }

    /// Makes the web view accept exactly this leaf for this host; returns when it does, or is over.
    package func trust(host: String, certificatePEM: String) async {
        await withCheckedContinuation { continuation in
            let id = state.withLock { state -> Int? in
                guard !state.isOver else { return nil }
                state.lastID += 1
                state.waiting[state.lastID] = continuation
                return state.lastID
            }
            guard let id else {
                continuation.resume()
                return
            }
            let command = VisitCommand.trust(TrustRequest(id: id, host: host, certificatePEM: certificatePEM))
            do {
                child.write(try JSONLine.encode(command))
            } catch {
                state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
            }
        }
    }

    private func finish() {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.isOver = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume() }
        child.terminate()
    }
}
