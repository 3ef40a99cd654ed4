import CacheTesting
import HTTPCacheSemantics
import Locking
import Preloading

/// A web view under the test's control. It loads until ``end`` opens or it is stopped.
final class ScriptedPage: HiddenPage {
    private struct State {
        var urls: [String] = []
        var stops = 0
        var memory: ByteCount?
        var visit: (@Sendable (String) async -> Void)?
    }

    let end = Gate()
    private let result: HiddenPageResult
    private let state = LockedBox(State())

    init(_ result: HiddenPageResult = HiddenPageResult(url: nil, status: 200), isAtRest: Bool = false) {
        self.result = result
        if isAtRest { end.open() }
    }

    var urls: [String] { state.withLock { $0.urls } }
    var stops: Int { state.withLock { $0.stops } }

    var memory: ByteCount? {
        get { state.withLock { $0.memory } }
        set { state.withLock { $0.memory = newValue } }
    }

    /// What asks the origin when the page is loaded.
    var visit: (@Sendable (String) async -> Void)? {
        get { state.withLock { $0.visit } }
        set { state.withLock { $0.visit = newValue } }
    }

    func load(_ url: String) async throws -> HiddenPageResult {
        state.withLock { $0.urls.append(url) }
        await visit?(url)
        try await end.pass()
        return result
    }

    func stop() async {
        state.withLock { $0.stops += 1 }
        end.open()
    }
}
