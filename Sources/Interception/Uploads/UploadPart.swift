/// What a request that the injected script marked has to do with an upload in pieces.
///
/// A scheme handler can't read a Blob or File, so the request itself goes without its content. The script sends that in
/// requests of its own, to the same URL, each with a buffer, which a handler can read.
package enum UploadPart: Hashable, Sendable {
    /// Begins an upload of so many bytes, and is answered when it has ended. `isForm` for that of a form that the web view
    /// sends by itself, so that its request carries no mark.
    case begin(UploadID, length: Int64, isForm: Bool)
    /// Begins that of a form whose answer takes the place of its own page: its pieces are answered when they are stored, and
    /// the web view navigates when all of them are (``PageUploads/waitForForms(at:)``).
    case hold(UploadID, length: Int64)
    /// Begins to follow content that its request carries by itself: answered when that has been taken.
    case follow(UploadID)
    /// The next bytes. Numbers count up from zero; answered when the origin's connection takes them, and not before is the
    /// next one to come.
    case piece(UploadID, number: Int)
    /// The page's file can't be read any more.
    case failure(UploadID)
    /// The request whose content it is.
    case content(UploadID)
}
