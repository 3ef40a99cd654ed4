import CacheEngine
import Fetching
import Foundation
import Locking

/// The content of a request as a protocol finds it: in memory, or as a stream, which `URLSession` makes of all content.
///
/// A stream is read on a queue of its own, because reading waits where there is nothing yet. Cancelling ends it once
/// the read that is under way has returned.
///
/// `@unchecked`: the stream is used on that queue alone.
final class UploadContent: BodySource, @unchecked Sendable {
    private enum State {
        case unopened, open, over
    }

    private static let pieceSize = 65_536

    private let stream: InputStream
    private let queue = DispatchQueue(label: "larder.upload-content")
    private var state = State.unopened
    private let kept = LockedBox(KeptContent())

    /// - Returns: `nil` for a request without a stream.
    init?(_ request: URLRequest) {
        guard request.httpBody == nil, let stream = request.httpBodyStream else { return nil }
        self.stream = stream
    }

    /// With the length that the request states.
    func body(of request: URLRequest) -> RequestBody {
        let length = request.value(forHTTPHeaderField: "Content-Length").flatMap { Int64($0) }
        return RequestBody(self, length: length.flatMap { $0 < 0 ? nil : $0 })
    }

    /// All of the content, where it was read to its end and is not longer than 1 MiB.
    var whole: [UInt8]? { kept.withLock { $0.whole } }

    func next() async throws -> [UInt8]? {
        try await withCheckedThrowingContinuation { continuation in
            queue.async {
                do {
                    continuation.resume(returning: try self.read())
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    func cancel() {
        queue.async { self.close() }
    }

    // MARK: On the queue

    private func read() throws -> [UInt8]? {
        switch state {
        case .unopened:
            stream.open()
            state = .open
        case .open: break
        case .over:
            guard whole != nil else { throw CancellationError() }
            return nil
        }
        var piece = [UInt8](repeating: 0, count: Self.pieceSize)
        let count = stream.read(&piece, maxLength: piece.count)
        guard count >= 0 else {
            let error = stream.streamError
            close()
            throw EngineError(
                code: .invalidRequest, message: "The request's content could not be read.", cause: error)
        }
        piece.removeLast(piece.count - count)
        guard !piece.isEmpty else {
            kept.withLock { $0.end() }
            close()
            return nil
        }
        kept.withLock { [piece] in $0.add(piece) }
        return piece
    }

    private func close() {
        if state == .open { stream.close() }
        state = .over
    }
}

/// Keeps a request's content as it is sent, so that a redirect can have it again.
struct KeptContent: Sendable {
    /// Longer content is not kept: 1 MiB.
    static let greatestSize = 1_048_576

    private var bytes: [UInt8]? = []
    private var isComplete = false

    /// All of the content, where its end has come and it was not too long.
    var whole: [UInt8]? { isComplete ? bytes : nil }

    mutating func add(_ piece: [UInt8]) {
        guard let kept = bytes else { return }
        bytes = kept.count + piece.count <= Self.greatestSize ? kept + piece : nil
    }

    mutating func end() { isComplete = true }
}

extension LoadAnswer {
    /// A failure where a redirect wants the content once more and it can't be had.
    func repeating(_ content: [UInt8]?) -> LoadAnswer {
        guard case .redirect(let redirect, _) = self, redirect.keepsContent, content == nil else { return self }
        discard()
        return .failed(
            EngineError(
                code: .redirectRefused,
                message: "A redirect wants the request's content once more; it was a stream longer than 1 MiB."))
    }
}
