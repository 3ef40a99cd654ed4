/// A beginning, and a piece that is repeated after it.
struct HostileShape: Sendable, CustomStringConvertible {
    var beginning: String
    var piece: String

    init(_ piece: String, after beginning: String = "") {
        self.beginning = beginning
        self.piece = piece
    }

    /// This number of bytes or a few more.
    func bytes(_ count: Int) -> [UInt8] {
        let (beginning, piece) = (Array(beginning.utf8), Array(piece.utf8))
        return beginning + (0...(count / piece.count)).flatMap { _ in piece }
    }

    var description: String { "\(beginning.debugDescription), then \(piece.debugDescription) without end" }

    /// The shapes for every list of tokens and quoted strings, RFC 9110 §5.6.
    static func list(after beginning: String = "") -> [HostileShape] {
        ["\"\\", "=\"\\", "\"", ",", "a=\"b\";", "a,", " "].map { HostileShape($0, after: beginning) }
    }
}
