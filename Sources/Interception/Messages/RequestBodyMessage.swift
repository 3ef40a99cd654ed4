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

/// The request that a body belongs to. A script that learns the identity of another page's body can't have it sent
/// elsewhere.
public struct RequestBodyTarget: Hashable, Sendable {
    let method: String
    let url: String

    /// - Parameter url: Absolute; without its fragment, which requests do not carry, it must be that of the scheme task.
    public init(method: String, url: String) {
        self.method = method
        self.url = url.utf8.firstIndex(of: 0x23).map { String(url[..<$0]) } ?? url
    }

    /// Octet by octet; `String` also equates canonically equivalent texts.
    public static func == (left: Self, right: Self) -> Bool {
        left.method.utf8.elementsEqual(right.method.utf8) && left.url.utf8.elementsEqual(right.url.utf8)
    }
}

/// An entry of a `FormData`, XMLHttpRequest §5. Its bytes come in chunks.
public struct FormEntry: Hashable, Sendable {
    public var name: String
    /// `nil` for an entry that is a string.
    public var file: File?

    public init(name: String, file: File? = nil) {
        self.name = name
        self.file = file
    }

    public struct File: Hashable, Sendable {
        public var name: String
        /// Empty where the page does not know it.
        public var contentType: String

        public init(name: String, contentType: String) {
            self.name = name
            self.contentType = contentType
        }
    }
}
