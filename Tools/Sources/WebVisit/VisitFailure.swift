/// Why there was no visit at all. A page that fails to load is a ``VisitResult``, not a failure.
public struct VisitFailure: Error, Hashable, Sendable, Codable {
    /// What kind of failure it is; callers branch on this only.
    public var code: Code

    /// What happened and what helps, in one or two sentences.
    public var message: String

    /// A failure with its explanation.
    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    /// A kind of failure; a bare string in JSON.
    public struct Code: RawRepresentable, Hashable, Sendable, Codable {
        /// The name on the wire.
        public var rawValue: String

        /// A code from the wire, perhaps one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// There is no display to paint on.
        public static let noDisplay = Code(rawValue: "noDisplay")
        /// A line from the tool could not be understood.
        public static let badRequest = Code(rawValue: "badRequest")
        /// A certificate to be trusted is no PEM certificate.
        public static let badCertificate = Code(rawValue: "badCertificate")
        /// A file or directory that the visit needs could not be made.
        public static let fileSystem = Code(rawValue: "fileSystem")
        /// The web view of this platform has no way to do it; nothing was done.
        public static let unsupported = Code(rawValue: "unsupported")
        /// The tool gave the visit up, or went away.
        public static let cancelled = Code(rawValue: "cancelled")
    }
}
