import CacheEngine
import HTTPTypes

/// Whoever gets what a ``RunningLoad`` loads.
///
/// Everything is called on the load's ``LoadThread``, in this order: the head once, pieces, then either ``finish()`` or
/// ``fail(_:)`` once. `fail` may also come first or between pieces. Where ``followsRedirects`` is true,
/// ``redirect(_:_:)`` may come once before all of these. Nothing is called after the end, nor after ``RunningLoad/stop()``.
package protocol LoadClient: Sendable {
    /// Whether redirects are told, rather than given as answers.
    var followsRedirects: Bool { get }
    /// Whether nothing is wanted for now. Looked at after each piece, and ten times a second from then on.
    var isSuspended: Bool { get }

    func receive(_ head: HTTPResponse)
    /// The next piece of the content, never empty.
    func receive(_ piece: [UInt8])
    /// - Parameter head: The head of the redirect.
    func redirect(_ redirect: LoadRedirect, _ head: HTTPResponse)
    func finish()
    func fail(_ error: EngineError)
}

/// Where a ``LoadClient`` wants to be called.
package protocol LoadThread: Sendable {
    /// Does one piece of work after the other, in order, and returns before it is done.
    func perform(_ work: @escaping @Sendable () -> Void)
}
