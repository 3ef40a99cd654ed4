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
