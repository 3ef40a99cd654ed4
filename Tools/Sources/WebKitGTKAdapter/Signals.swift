import CWebKitGTK

/// A C pointer on its way through a closure that the compiler takes for a concurrent one.
///
/// Unchecked because GLib calls back on the main thread only, where the pointer also came from and where it is used.
struct MainThreadPointer<Pointee>: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<Pointee>

    /// Nothing for a null pointer.
    init?(_ pointer: UnsafeMutablePointer<Pointee>?) {
        guard let pointer else { return nil }
        self.pointer = pointer
    }
}

/// The object behind a callback's `user_data`, on its way to the main actor; the same reason as above.
struct CallbackOwner: @unchecked Sendable {
    private let data: UnsafeMutableRawPointer?

    init(_ data: UnsafeMutableRawPointer?) { self.data = data }

    /// Runs `body` with the object, which whoever connected the callback keeps alive.
    func callAsFunction<Owner: AnyObject, Answer: Sendable>(
        _ type: Owner.Type, otherwise answer: Answer, _ body: @MainActor (Owner) -> Answer
    ) -> Answer {
        // GLib dispatches on the thread that runs the loop, and that is the main thread.
        MainActor.assumeIsolated {
            guard let data else { return answer }
            return body(Unmanaged<Owner>.fromOpaque(data).takeUnretainedValue())
        }
    }
}

/// Connects a C callback to a signal, with `owner`, not retained, as its last argument.
///
/// `Callback` must be the `@convention(c)` type that the signal's documentation gives: GLib cannot check it.
@MainActor
func connect<Callback>(_ object: some GObjectPointer, _ signal: String, to owner: AnyObject, _ callback: Callback) {
    _ = g_signal_connect_data(
        object.untyped, signal, unsafeBitCast(callback, to: GCallback.self),
        Unmanaged.passUnretained(owner).toOpaque(), nil, GConnectFlags(rawValue: 0))
}

/// A pointer to any GObject.
protocol GObjectPointer {
    var untyped: UnsafeMutableRawPointer { get }
}

extension UnsafeMutablePointer: GObjectPointer {
    var untyped: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }

    /// The same GObject as another of its classes; the caller knows that it is one.
    func cast<Other>(to type: Other.Type) -> UnsafeMutablePointer<Other> {
        untyped.assumingMemoryBound(to: type)
    }
}

extension String {
    /// A copy of a C string that may be null.
    init?(copying string: UnsafePointer<CChar>?) {
        guard let string else { return nil }
        self.init(cString: string)
    }

    /// A copy of a C string that may be null and is ours to free.
    init?(taking string: UnsafeMutablePointer<CChar>?) {
        guard let string else { return nil }
        self.init(cString: string)
        g_free(string)
    }

    /// The message of an error that is ours to free.
    init(taking error: UnsafeMutablePointer<GError>?) {
        self = String(copying: error?.pointee.message) ?? "No reason was given."
        if let error { g_error_free(error) }
    }
}
