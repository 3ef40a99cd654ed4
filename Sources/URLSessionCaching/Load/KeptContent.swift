import CacheEngine
import Fetching

/// What was sent of a request's content, so that a redirect can have it again.
struct KeptContent: Sendable {
    /// Of longer content nothing is kept: 1 MiB.
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
    ///
    /// - Parameter content: What was sent; `nil` if it is not kept.
    func repeating(_ content: [UInt8]?) -> LoadAnswer {
        guard case .redirect(let redirect, _) = self, redirect.keepsContent, content == nil else { return self }
        discard()
        return .failed(
            EngineError(
                code: .redirectRefused,
                message: "A redirect wants the request's content once more; it was a stream longer than 1 MiB."))
    }
}
