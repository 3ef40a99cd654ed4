import CacheEngine
import Fetching
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
package protocol SchemeTask: AnyObject, Sendable {
    /// The head of the response.
    func receive(_ head: HTTPResponse)

    /// The next piece of the content, never empty.
    ///
    /// - Returns: `later` if the piece does not fit into what carries it on, a pipe for instance. The task keeps the
    ///   piece, and nothing else is called until ``SchemeTaskDriver/proceed(_:)``.
    func receive(_ piece: [UInt8]) -> LoadDemand

    /// The content is complete.
    func finish()

    /// There is no answer, or its content breaks off.
    func fail(_ error: SchemeTaskError)
}

/// The identity of one load, as long as that load lasts.
package struct SchemeTaskID: Hashable, Sendable {
    private let address: UInt

    /// - Parameter object: The web view's own object, such as a `WKURLSchemeTask`. The adapter has to keep it alive
    ///   until the load ends, so that no other object gets its address.
    package init(_ object: AnyObject) {
        address = UInt(bitPattern: ObjectIdentifier(object))
    }

    /// - Parameter address: The address of a C object, such as a `WebKitURISchemeRequest`.
    package init(address: UInt) {
        self.address = address
    }
}

/// A scheme task as the client of its ``Load``, whose thread is the main actor.
struct SchemeTaskClient: LoadClient {
    let task: any SchemeTask

    func receive(_ head: HTTPResponse) { MainActor.assumeIsolated { task.receive(head) } }
    func receive(_ piece: [UInt8]) -> LoadDemand { MainActor.assumeIsolated { task.receive(piece) } }
    func finish() { MainActor.assumeIsolated { task.finish() } }

    func fail(_ failure: LoadFailure) {
        let error =
            switch failure {
            case .unanswered(let error):
                error as? SchemeTaskError ?? SchemeTaskError(code: .unanswered, message: "\(error)", cause: error)
            case .contentBroken(let error):
                SchemeTaskError(
                    code: .bodyBroken, message: "The content broke off; loading it again may help.", cause: error)
            case .timedOut: SchemeTaskError(code: .timedOut, message: "The page's own time-out has passed.")
            }
        MainActor.assumeIsolated { task.fail(error) }
    }
}
