/// The one answer of an asynchronous C call, or nothing when it takes too long.
///
/// The C side keeps a reference of its own until it has called back, so a late answer finds a living object and is
/// dropped.
@MainActor
final class Reply<Value: Sendable> {
    private var continuation: CheckedContinuation<Value?, Never>?

    /// Gives the answer; only the first call counts.
    func resolve(_ value: Value?) {
        continuation?.resume(returning: value)
        continuation = nil
    }

    /// A reference for the C side to pass on as `user_data`; ``take(_:)`` gives it back.
    func retainedForCallback() -> UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

    /// Starts a call and waits for its answer; `nil` if there is none within `limit`.
    static func first(within limit: Duration, _ start: (Reply) -> Void) async -> Value? {
        let reply = Reply()
        let deadline = Task {
            try? await Task.sleep(for: limit)
            reply.resolve(nil)
        }
        defer { deadline.cancel() }
        return await withCheckedContinuation { continuation in
            reply.continuation = continuation
            start(reply)
        }
    }
}
