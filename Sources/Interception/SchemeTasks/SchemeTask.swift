import HTTPTypes

/// A load that a web view has handed to a scheme handler, as ``SchemeTaskDriver`` sees it.
///
/// An adapter implements it around the web view's own object and translates, nothing else. All calls come on the main
/// actor, because web views call their scheme handlers there, and in this order: the head once, pieces, then either
/// ``finish()`` or ``fail(_:)`` once. `fail` may also come first or between pieces. Nothing is called after that, nor
/// after ``SchemeTaskDriver/stop(_:)`` has returned. The driver holds the task until then and no longer.
///
/// Each method may call the driver back before it returns, for this task too.
@MainActor
package protocol SchemeTask: AnyObject {
    /// The head of the response.
    func receive(_ head: HTTPResponse)

    /// The next piece of the content, never empty.
    ///
    /// - Returns: ``SchemeTaskDemand/later`` if the piece does not fit into what carries it on, a pipe for instance.
    ///   The task keeps the piece, and nothing else is called until ``SchemeTaskDriver/proceed(_:)``.
    func receive(_ piece: [UInt8]) -> SchemeTaskDemand

    /// The content is complete.
    func finish()

    /// There is no answer, or its content breaks off.
    func fail(_ error: SchemeTaskError)
}
