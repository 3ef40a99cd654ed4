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
