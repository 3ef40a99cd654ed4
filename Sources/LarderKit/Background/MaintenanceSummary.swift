/// What a run of ``Larder/maintain()`` has done.
public struct MaintenanceSummary: Hashable, Sendable {
    /// How many stored responses a rule had let expire since the last run.
    public var expired = 0
    /// How many files without a stored response were removed, as a crash can leave behind.
    public var removedFiles = 0
    /// Whether all of it was done. If not, the run was cancelled or the store can't be written, and the next run does
    /// the rest.
    public var isComplete = false

    package init() {}
}
