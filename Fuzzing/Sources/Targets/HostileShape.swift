/// A beginning, and a piece that follows it again and again.
struct HostileShape: Sendable, CustomStringConvertible {
    var beginning: String
    var piece: String

    init(_ piece: String, after beginning: String = "") {
        self.beginning = beginning
        self.piece = piece
    }

    /// So many bytes or a few more.
    func bytes(_ count: Int) -> [UInt8] {
        let (beginning, piece) = (Array(beginning.utf8), Array(piece.utf8))
        return beginning + (0...(count / piece.count)).flatMap { _ in piece }
    }

    var description: String { "\(beginning.debugDescription), then \(piece.debugDescription) without end" }

    /// What every list of tokens and quoted strings is tried with, RFC 9110 §5.6.
    static func list(after beginning: String = "") -> [HostileShape] {
        ["\"\\", "=\"\\", "\"", ",", "a=\"b\";", "a,", " "].map { HostileShape($0, after: beginning) }
    }
}
