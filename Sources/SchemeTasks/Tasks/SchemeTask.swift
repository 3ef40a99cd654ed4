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

/// A scheme task whose answer is read piece by piece, for a web view that takes a sequence (`URLSchemeHandler` of iOS
/// 26).
@MainActor
package final class PulledSchemeTask: SchemeTask {
    private weak var driver: SchemeTaskDriver?
    private lazy var reader = LoadReader(
        proceed: { [self] in Task { @MainActor in driver?.proceed(id) } },
        stop: { [self] in Task { @MainActor in driver?.stop(id) } })

    /// - Parameter driver: The one that answers it; not kept alive.
    package init(_ driver: SchemeTaskDriver) { self.driver = driver }

    package var id: SchemeTaskID { SchemeTaskID(self) }

    /// The next part; `nil` at the end. One reader at a time.
    ///
    /// - Throws: ``SchemeTaskError``, or `CancellationError` when the reader's task is cancelled; the load is stopped
    ///   then.
    package func part() async throws -> LoadReader.Part? { try await reader.next() }

    /// The web view needs the rest no longer. Does nothing once the answer is over.
    package func cancel() {
        driver?.stop(id)
        reader.cancel()
    }

    // MARK: SchemeTask

    package func receive(_ head: HTTPResponse) { reader.receive(head) }
    package func receive(_ piece: [UInt8]) -> LoadDemand { reader.receive(piece) }
    package func finish() { reader.finish() }
    package func fail(_ error: SchemeTaskError) { reader.fail(with: error) }
}

/// Why a ``SchemeTask`` gets no answer, or only a part of one.
package struct SchemeTaskError: Error, Sendable, CustomStringConvertible {
    package var code: Code
    /// The failure and its remedy, in one sentence.
    package var message: String
    package var cause: (any Error)?

    package init(code: Code, message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    package var description: String { message }

    package enum Code: Hashable, Sendable {
        /// A rule forbids the answer; a network error of Fetch §2.2.6.
        case refused
        /// Nothing could answer the request.
        case unanswered
        /// The document is redirected, and the web view has been told to load its new address: no error for the user.
        case moved
        /// The content broke off after the head.
        case bodyBroken
        /// The page's own time-out has passed.
        case timedOut
        /// The app, or its user, gave the load up instead of a password (``CredentialAnswer/cancel``).
        case authenticationCancelled
        /// The page has more loads open than ``SchemeTaskDriver/Limits`` allows.
        case tooManyTasks
    }
}

extension SchemeTaskError {
    /// A rule of the Fetch standard forbids the answer.
    init(_ error: FetchError) { self.init(code: .refused, message: error.description, cause: error) }

    /// The cache could not answer.
    init(_ error: EngineError) { self.init(code: .unanswered, message: error.description, cause: error) }
}
