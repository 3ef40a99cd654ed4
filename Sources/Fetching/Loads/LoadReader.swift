import CacheEngine
import Decoding
import HTTPCacheSemantics
import HTTPTypes
import Locking

/// One load, read part by part, by a client that asks rather than being told. One piece is kept: the next one is read
/// when this one was taken.
package final class LoadReader: LoadClient {
    /// One part of an answer, in the order in which parts are read.
    package enum Part: Hashable, Sendable {
        /// The last part, unless the reader takes the redirect for the answer.
        case redirect(LoadRedirect, HTTPResponse)
        case head(HTTPResponse)
        case content([UInt8])
    }

    private struct State: Sendable {
        /// Parts that nobody has taken: a piece behind the head at most.
        var parts: [Part] = []
        var end: Result<Void, any Error>?
        var reader: CheckedContinuation<Part?, any Error>?
        /// Whether the load waits for ``Load/proceed()``.
        var isHeld = false
        var proceed: (@Sendable () -> Void)?
        var stop: (@Sendable () -> Void)?
    }

    package let followsRedirects = true
    private let state = LockedBox(State())

    /// - Parameters:
    ///   - proceed: Called when a piece was taken after ``LoadDemand/later``.
    ///   - stop: Called when the reader gives up.
    package init(proceed: (@Sendable () -> Void)? = nil, stop: (@Sendable () -> Void)? = nil) {
        state.withLock { ($0.proceed, $0.stop) = (proceed, stop) }
    }

    /// Begins a load.
    ///
    /// - Parameter timeout: The longest that nothing may come; `nil` for no limit.
    package static func begin(_ answer: LoadAnswer, timeout: Duration? = nil, clock: EngineClock) -> LoadReader {
        let (reader, thread) = (LoadReader(), SerialThread())
        let load = Load(reader, on: thread, answer: answer, timeout: timeout, clock: clock)
        reader.state.withLock { state in
            state.proceed = { thread.perform { load.proceed() } }
            state.stop = { thread.perform { load.stop() } }
        }
        thread.perform { load.start() }
        return reader
    }

    /// The next part; `nil` at the end. One reader at a time.
    ///
    /// - Throws: ``LoadFailure``, or `CancellationError` when the reader's task is cancelled; the load is stopped then.
    package func next() async throws -> Part? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let proceed = state.withLock { state -> (@Sendable () -> Void)? in
                    if !state.parts.isEmpty {
                        continuation.resume(returning: state.parts.removeFirst())
                        guard state.isHeld, state.parts.isEmpty else { return nil }
                        state.isHeld = false
                        return state.proceed
                    }
                    switch state.end {
                    case .success?: continuation.resume(returning: nil)
                    case .failure(let error)?: continuation.resume(throwing: error)
                    case nil: state.reader = continuation
                    }
                    return nil
                }
                proceed?()
            }
        } onCancel: {
            cancel()
        }
    }

    /// The rest is needed no longer. Does nothing once the answer is over.
    package func cancel() {
        let stop = state.withLock { $0.stop }
        stop?()
        state.withLock { $0.parts = [] }
        end(.failure(CancellationError()))
    }

    /// All of the content behind the head.
    package func content(upTo limit: ByteCount) async throws -> [UInt8] {
        var all: [UInt8] = []
        while case .content(let piece)? = try await next() {
            guard all.count + piece.count <= limit.bytes else {
                throw EngineError(code: .bodyTooLarge, message: "The content is longer than \(limit).")
            }
            all += piece
        }
        return all
    }

    // MARK: LoadClient

    package func redirect(_ redirect: LoadRedirect, _ head: HTTPResponse) { add(.redirect(redirect, head)) }
    package func receive(_ head: HTTPResponse) { add(.head(head)) }

    package func receive(_ piece: [UInt8]) -> LoadDemand {
        add(.content(piece)) ? .more : .later
    }

    package func finish() { end(.success(())) }
    package func fail(_ failure: LoadFailure) { end(.failure(failure)) }
    package func fail(with error: any Error) { end(.failure(error)) }

    /// - Returns: Whether a reader has taken it.
    @discardableResult
    private func add(_ part: Part) -> Bool {
        state.withLock { state in
            if let reader = state.reader {
                state.reader = nil
                reader.resume(returning: part)
                return true
            }
            state.parts.append(part)
            if case .content = part { state.isHeld = true }
            return false
        }
    }

    private func end(_ end: Result<Void, any Error>) {
        state.withLock { state in
            guard state.end == nil else { return }
            state.end = end
            (state.proceed, state.stop) = (nil, nil)
            guard let reader = state.reader else { return }
            state.reader = nil
            switch end {
            case .success: reader.resume(returning: nil)
            case .failure(let error): reader.resume(throwing: error)
            }
        }
    }
}

extension EngineError {
    /// The failure of a load as the engine's own error.
    package init(loading failure: any Error) {
        switch failure {
        case LoadFailure.timedOut(let time):
            self.init(code: .timedOut, message: "Nothing came for \(time.components.seconds) seconds.")
        case LoadFailure.unanswered(let error): self.init(whileReading: error)
        case LoadFailure.contentBroken(let error as ContentDecodingError):
            self.init(
                code: error.code == .tooLarge ? .bodyTooLarge : .contentUnreadable, message: error.message, cause: error
            )
        case LoadFailure.contentBroken(let error): self.init(whileReading: error)
        default: self.init(whileReading: failure)
        }
    }
}
