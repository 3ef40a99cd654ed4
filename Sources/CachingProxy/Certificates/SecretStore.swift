#if Proxy
/// Where few and small secrets are kept by name, such as the key of a certificate authority.
public protocol SecretStore: Sendable {
    /// - Returns: The secret, in text; `nil` if there is none.
    /// - Throws: A ``SecretError``, or what the system says.
    func secret(named name: String) throws -> String?

    /// Keeps a secret in place of the former one of that name.
    ///
    /// - Throws: A ``SecretError``, or what the system says. Then the former one may be gone.
    func keep(_ secret: String, named name: String) throws

    /// Whether others than the user can read it. Then it is kept again.
    func isExposed(_ name: String) -> Bool
}

extension SecretStore {
    public func isExposed(_ name: String) -> Bool { false }
}

/// Why a secret can't be read or kept.
public struct SecretError: Error, Sendable, CustomStringConvertible {
    public var code: Code
    /// The failure and its remedy, in one sentence.
    package var message: String

    package init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }

    public struct Code: Hashable, Sendable {
        private let name: String
        /// The device was not unlocked since it was started.
        public static var locked: Self { .init(name: "locked") }
        /// The app lacks an entitlement.
        package static var notEntitled: Self { .init(name: "notEntitled") }
        /// Anything else; the message has the system's number.
        package static var failed: Self { .init(name: "failed") }
    }
}
#endif
