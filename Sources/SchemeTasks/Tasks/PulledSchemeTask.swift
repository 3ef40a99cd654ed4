import Fetching
import HTTPTypes

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
