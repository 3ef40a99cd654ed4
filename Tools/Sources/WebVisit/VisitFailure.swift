/// Why there was no visit at all. A page that fails to load is a ``VisitResult``, not a failure.
package struct VisitFailure: Error, Hashable, Sendable, Codable {
    /// The kind of failure; callers branch on this only.
    package var code: Code

    /// The failure and its remedy, in one or two sentences.
    package var message: String

    /// A failure with its explanation.
    package init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    /// A kind of failure; a bare string in JSON.
    package struct Code: RawRepresentable, Hashable, Sendable, Codable {
        /// The name on the wire.
        package var rawValue: String

        /// A code from the wire, perhaps one that this version does not know.
        package init(rawValue: String) { self.rawValue = rawValue }

        /// There is no display to paint on.
        package static let noDisplay = Code(rawValue: "noDisplay")
        /// A line from the tool could not be understood.
        package static let badRequest = Code(rawValue: "badRequest")
        /// A certificate to be trusted is no PEM certificate.
        package static let badCertificate = Code(rawValue: "badCertificate")
        /// A file or directory that the visit needs could not be made.
        package static let fileSystem = Code(rawValue: "fileSystem")
        /// The web view of this platform has no way to do it; nothing was done.
        package static let unsupported = Code(rawValue: "unsupported")
        /// The tool gave the visit up, or went away.
        package static let cancelled = Code(rawValue: "cancelled")
    }
}
