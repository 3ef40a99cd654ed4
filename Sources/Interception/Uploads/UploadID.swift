/// The name of one upload: 16 letters or digits that the injected script chose at random.
package struct UploadID: Hashable, Sendable {
    package let text: String

    /// - Returns: `nil` for a text of another form.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count == Self.length, text.utf8.allSatisfy(Self.isLetter) else { return nil }
        self.text = String(text)
    }

    /// What ends the parts of a form that is uploaded under this name, RFC 7578 §4.1. It looks like WebKit's own.
    package var boundary: String { "----WebKitFormBoundary" + text }

    /// All names that stand between quotation marks in a form's content.
    static func quoted(in content: [UInt8]) -> [UploadID] {
        content.split(separator: 0x22).compactMap { UploadID(String(decoding: $0, as: UTF8.self)) }
    }

    private static let length = 16

    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }
}
