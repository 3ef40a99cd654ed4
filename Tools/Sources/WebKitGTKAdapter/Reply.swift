import CWebKitGTK

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
        let deadline = Timeout(after: limit) { reply.resolve(nil) }
        defer { deadline.cancel() }
        return await withCheckedContinuation { continuation in
            reply.continuation = continuation
            start(reply)
        }
    }
}

/// Something to do later, unless it is cancelled.
///
/// GLib's loop does it: a cancelled `Task.sleep` would stay in libdispatch's timers until its time has come, and a
/// session that makes many short steps with long limits would have very many.
@MainActor
private final class Timeout {
    private var body: (() -> Void)?
    private var source: guint = 0

    init(after duration: Duration, _ body: @escaping () -> Void) {
        self.body = body
        let milliseconds = min(max(duration / .milliseconds(1), 0), 86_400_000)
        source = g_timeout_add_full(
            G_PRIORITY_DEFAULT, guint(milliseconds.rounded(.up)),
            { data in
                CallbackOwner(data)(Timeout.self, otherwise: 0) { timeout in
                    timeout.fire()
                    return 0
                }
            }, Unmanaged.passRetained(self).toOpaque(),
            { data in data.map { Unmanaged<Timeout>.fromOpaque($0).release() } })
    }

    /// GLib removes the source of a function that returns 0 by itself.
    private func fire() {
        source = 0
        body?()
        body = nil
    }

    func cancel() {
        body = nil
        if source != 0 { g_source_remove(source) }
        source = 0
    }
}
