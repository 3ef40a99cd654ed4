/// The role of a marked request in an upload in pieces.
///
/// A scheme handler can't read a Blob or File, so the request itself goes without its content. The script sends that in
/// requests of its own, to the same URL, each with a buffer, which a handler can read.
package enum UploadPart: Hashable, Sendable {
    /// Begins an upload of so many bytes, and is answered when it has ended. `isForm` for that of a form that the web
    /// view sends by itself, so that its request carries no mark.
    case begin(UploadID, length: Int64, isForm: Bool)
    /// Begins that of a form whose answer takes the place of its own page: its pieces are answered when they are
    /// stored, and the web view navigates when all of them are (``PageUploads/waitForForms(at:)``).
    case hold(UploadID, length: Int64)
    /// Begins to follow content that its request carries by itself: answered when that has been taken.
    case follow(UploadID)
    /// The next bytes. Numbers count up from zero; answered when the origin's connection takes them, and not before is
    /// the next one to come.
    case piece(UploadID, number: Int)
    /// The page's file can't be read any more.
    case failure(UploadID)
    /// The request whose content it is.
    case content(UploadID)
}

/// The name of one upload: 16 letters or digits that the injected script chose at random.
package struct UploadID: Hashable, Sendable {
    package let text: String

    /// - Returns: `nil` for a text of another form.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count == Self.length, text.utf8.allSatisfy(Self.isLetter) else { return nil }
        self.text = String(text)
    }

    /// The boundary of a form uploaded under this name, RFC 7578 §4.1. It looks like WebKit's.
    package var boundary: String { "----WebKitFormBoundary" + text }

    /// All names that stand between quotation marks in a form's content.
    package static func quoted(in content: [UInt8]) -> [UploadID] {
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
