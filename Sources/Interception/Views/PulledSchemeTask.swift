import HTTPTypes

/// A scheme task whose answer is read piece by piece, for a web view that takes a sequence (`URLSchemeHandler` of iOS 26).
///
/// One piece is kept: the next one is read when this one was taken.
@MainActor
package final class PulledSchemeTask: SchemeTask {
    /// One part of an answer, in the order in which a web view takes it.
    package enum Part: Hashable, Sendable {
        case head(HTTPResponse)
        case content([UInt8])
    }

    private enum Waiting {
        case nothing
        case part(Part)
        case reader(CheckedContinuation<Part?, any Error>)
        case over((any Error)?)
    }

    private unowned let driver: SchemeTaskDriver
    private var waiting = Waiting.nothing
    /// What came while ``waiting`` was not yet taken: a piece behind the head, or the end.
    private var next: [Waiting] = []
    private var isHeld = false

    /// - Parameter driver: The one that answers it; it has to live longer.
    package init(_ driver: SchemeTaskDriver) { self.driver = driver }

    package var id: SchemeTaskID { SchemeTaskID(self) }

    /// The next part; `nil` at the end. One reader at a time.
    ///
    /// - Throws: ``SchemeTaskError``, or `CancellationError` when the reader's task is cancelled; the load is stopped then.
    package func part() async throws -> Part? {
        switch waiting {
        case .part(let part):
            advance()
            return part
        case .over(let error):
            if let error { throw error }
            return nil
        case .reader: throw SchemeTaskError(code: .refused, message: "The answer has a reader already.")
        case .nothing: break
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                waiting = .reader(continuation)
            }
        } onCancel: {
            Task { @MainActor in self.cancel() }
        }
    }

    /// The web view needs the rest no longer. Does nothing once the answer is over.
    package func cancel() {
        driver.stop(id)
        next = []
        if case .over = waiting { return }
        settle(.over(CancellationError()))
    }

    // MARK: SchemeTask

    package func receive(_ head: HTTPResponse) { settle(.part(.head(head))) }

    package func receive(_ piece: [UInt8]) -> SchemeTaskDemand {
        settle(.part(.content(piece)))
        if case .nothing = waiting { return .more }
        isHeld = true
        return .later
    }

    package func finish() { settle(.over(nil)) }
    package func fail(_ error: SchemeTaskError) { settle(.over(error)) }

    private func settle(_ new: Waiting) {
        switch waiting {
        case .reader(let reader):
            waiting = .nothing
            switch new {
            case .part(let part): reader.resume(returning: part)
            case .over(let error):
                waiting = new
                if let error { reader.resume(throwing: error) } else { reader.resume(returning: nil) }
            case .nothing, .reader: break
            }
        case .nothing: waiting = new
        case .part: next.append(new)
        case .over: break
        }
    }

    private func advance() {
        waiting = next.isEmpty ? .nothing : next.removeFirst()
        guard next.isEmpty, isHeld else { return }
        if case .part = waiting { return }
        isHeld = false
        driver.proceed(id)
    }
}
