import Locking

/// The credentials that were used for protection spaces (RFC 9110 §11.5). They live in memory, and end with it.
///
/// One for each set of website data: web views that share cookies share it. Accounts have their own within it.
package final class CredentialMemory: Sendable {
    private struct Entry: Sendable {
        var space: ProtectionSpace
        var credentials: BasicCredentials
        /// Paths up to their last `/` that were challenged; those below need no challenge (RFC 7617 §2.2).
        var folders: [String]
    }

    /// More protection spaces, and more folders of each, push out the oldest.
    static let (greatestCount, greatestFolders) = (64, 32)

    /// The one used last comes last.
    private let entries = LockedBox<[Entry]>([])

    package init() {}

    /// Forgets all credentials.
    ///
    /// - Parameter account: The account to forget (`ExchangeContext.partition`); `nil` for all
    ///   accounts.
    package func removeAll(account: String? = nil) {
        entries.withLock { entries in entries.removeAll { account == nil || $0.space.owner.account == account } }
    }

    /// The credentials to send unasked; `nil` if none are known for a folder of the path.
    func credentials(for origin: WebOrigin, path: String, _ owner: ProtectionSpace.Owner) -> BasicCredentials? {
        let path = Self.withoutQuery(path)
        return entries.withLock { entries in
            var found: (length: Int, credentials: BasicCredentials)?
            for entry in entries where entry.space.owner == owner && entry.space.origin == origin {
                for folder in entry.folders where path.utf8.starts(with: folder.utf8) {
                    let length = folder.utf8.count
                    if length >= found?.length ?? 0 { found = (length, entry.credentials) }
                }
            }
            return found?.credentials
        }
    }

    func credentials(for space: ProtectionSpace) -> BasicCredentials? {
        entries.withLock { entries in entries.last { $0.space == space }?.credentials }
    }

    /// - Parameter path: The path that was challenged.
    func remember(_ credentials: BasicCredentials, for space: ProtectionSpace, path: String) {
        guard !space.origin.isOpaque else { return }
        let path = Self.withoutQuery(path)
        let folder = String(path[..<(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)])
        entries.withLock { entries in
            var entry = Entry(space: space, credentials: credentials, folders: [])
            if let place = entries.firstIndex(where: { $0.space == space }) {
                entry.folders = entries.remove(at: place).folders
            }
            entry.folders.removeAll { $0 == folder }
            if entry.folders.count >= Self.greatestFolders { entry.folders.removeFirst() }
            entry.folders.append(folder.isEmpty ? "/" : folder)
            if entries.count >= Self.greatestCount { entries.removeFirst() }
            entries.append(entry)
        }
    }

    /// They were refused. Others that have taken their place stay.
    func forget(_ credentials: BasicCredentials, for space: ProtectionSpace) {
        entries.withLock { entries in
            entries.removeAll { $0.space == space && $0.credentials == credentials }
        }
    }

    private static func withoutQuery(_ path: String) -> Substring { path.prefix { $0 != "?" } }
}
