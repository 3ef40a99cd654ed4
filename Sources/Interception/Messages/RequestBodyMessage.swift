/// A message of a page script that hands over a request body which native code can't read: one with a Blob or a File.
public enum RequestBodyMessage: Hashable, Sendable {
    /// Begins a body. The first message of each.
    case begin(RequestBodyTarget, Kind)
    /// Begins an entry of a form.
    case entry(FormEntry)
    /// The next bytes, of the body or of its last entry. Numbers count up from zero, without gaps, in the whole body.
    case chunk(number: Int, [UInt8])
    case end

    public enum Kind: Hashable, Sendable {
        /// A string, `URLSearchParams`, `ArrayBuffer`, `Blob` or `File`, with its type where it has one (Fetch §2.2.4).
        case bytes(contentType: String?)
        /// `FormData`; its content is ``FormEntry`` by ``FormEntry``.
        case form
    }
}
