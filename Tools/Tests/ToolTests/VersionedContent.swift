/// A text that says in each of its pieces whose it is: one of which a piece is missing, doubled, or of another version
/// is not whole.
struct VersionedContent: Hashable, Sendable {
    /// In octets.
    static let pieceLength = 16

    /// At most four characters of ASCII.
    var name: String
    var version: Int
    var pieces: Int

    var text: String { (0..<pieces).map(piece).joined() }

    private func piece(_ number: Int) -> String {
        "\(Self.padded(name, 4)) \(Self.padded(version, 4)) \(Self.padded(number, 5));"
    }

    /// What a text is a whole of; `nil` if it is not.
    static func read(_ text: some StringProtocol) -> VersionedContent? {
        let words = text.prefix(pieceLength).split(separator: " ")
        guard words.count == 3, let version = Int(words[1]), text.utf8.count % pieceLength == 0 else { return nil }
        let content = VersionedContent(
            name: String(words[0]), version: version, pieces: text.utf8.count / pieceLength)
        return content.text == text ? content : nil
    }

    private static func padded(_ number: Int, _ length: Int) -> String { padded(String(number), length) }

    private static func padded(_ text: String, _ length: Int) -> String {
        String(repeating: "0", count: max(0, length - text.count)) + text
    }
}
