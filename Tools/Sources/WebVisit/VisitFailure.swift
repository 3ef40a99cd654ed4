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
    package enum Code: String, Sendable, Codable {
        /// There is no display to paint on.
        case noDisplay
        /// A line from the tool could not be understood.
        case badRequest
        /// A certificate to be trusted is no PEM certificate.
        case badCertificate
        /// A file or directory that the visit needs could not be made.
        case fileSystem
        /// The web view of this platform has no way to do it; nothing was done.
        case unsupported
        /// The tool gave the visit up, or went away.
        case cancelled
    }
}
