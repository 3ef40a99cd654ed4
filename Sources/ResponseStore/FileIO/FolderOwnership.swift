/// Whether a folder is this user's alone, from what the system says of it. No I/O.
///
/// Whoever can write in a folder of ours decides what our pages are made of, or whose leaves a web view takes. So one of
/// another user is refused, even by root, who could read it, and so is one that others may write in. Others may not read
/// either: where the folder is ours, that is taken from them.
package struct FolderOwnership: Hashable, Sendable {
    package enum Verdict: Hashable, Sendable {
        case own
        /// It is ours, and others may read it; the mode that it should have.
        case readable(mode: UInt32)
        case refused(Refusal)
    }

    package enum Refusal: Hashable, Sendable {
        case anotherUser(UInt32)
        case othersMayWrite(mode: UInt32)

        /// A clause with what helps, after the folder's name.
        package var words: String {
            switch self {
            case .anotherUser(let user): "belongs to another user (\(user)); choose a folder of your own"
            case .othersMayWrite(let mode):
                "can be written by other users (mode \(String(mode, radix: 8))); take that from them with chmod 700, or choose "
                    + "another one"
            }
        }
    }

    package var owner: UInt32
    /// The permission bits.
    package var mode: UInt32

    package init(owner: UInt32, mode: UInt32) { (self.owner, self.mode) = (owner, mode) }

    /// - Parameter user: The effective user of this process.
    package func verdict(for user: UInt32) -> Verdict {
        if owner != user { return .refused(.anotherUser(owner)) }
        if mode & 0o022 != 0 { return .refused(.othersMayWrite(mode: mode & 0o7777)) }
        return mode & 0o077 != 0 ? .readable(mode: mode & 0o7700) : .own
    }

    /// Looks at a file or folder.
    ///
    /// - Returns: `nil` if it is not there, or ours alone.
    package static func refusal(of path: String) -> Refusal? {
        guard let found = SystemCalls.ownership(path) else { return nil }
        if case .refused(let refusal) = found.verdict(for: SystemCalls.user) { return refusal }
        return nil
    }

    /// Takes from others what they may read of a folder of ours. Where that can't be done, as on a file system that is mounted
    /// for reading, it stays as it is.
    package static func tighten(_ path: String) {
        guard let found = SystemCalls.ownership(path) else { return }
        if case .readable(let mode) = found.verdict(for: SystemCalls.user) { SystemCalls.changeMode(path, mode) }
    }
}
