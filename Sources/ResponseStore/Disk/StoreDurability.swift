/// What a change survives once it has returned.
package enum StoreDurability: Sendable, CaseIterable {
    /// The end of the process, killed or not. No change waits for the disk; after a loss of power entries may be
    /// missing, but the remaining ones are intact.
    case process
    /// A loss of power as well: every change returns once it is on the disk, and many changes share one wait.
    case power
}
