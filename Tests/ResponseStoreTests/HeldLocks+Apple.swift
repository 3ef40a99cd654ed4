#if canImport(Darwin)
/// The locks of this process on files: this system does not list them.
enum HeldLocks {
    static let canBeSeen = false

    static func files(in directory: String) throws -> [String] { [] }
}
#endif
