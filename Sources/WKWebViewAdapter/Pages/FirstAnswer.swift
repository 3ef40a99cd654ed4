#if canImport(WebKit)
/// The first of several answers; those after it are nothing.
@MainActor
final class FirstAnswer<Value: Sendable> {
    private(set) var given: Value?
    private var waiting: CheckedContinuation<Value, Never>?

    nonisolated init() {}

    func give(_ value: Value) {
        guard given == nil else { return }
        given = value
        waiting?.resume(returning: value)
        waiting = nil
    }

    /// Returns once there is one. One task may wait.
    var value: Value {
        get async {
            if let given { return given }
            return await withCheckedContinuation { waiting = $0 }
        }
    }
}
#endif
