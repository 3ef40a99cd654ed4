/// What a stored response survives once a change has returned.
public enum StoreDurability: Sendable, CaseIterable {
    /// The end of the process only, killed or not. Nothing waits for the disk; after a loss of power entries may be
    /// missing, and those that are there are still whole.
    case process
    /// A loss of power as well: every change returns when it is on the disk, many sharing one wait.
    case power
}
