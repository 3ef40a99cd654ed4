extension Feature {
    /// What the engine can't do yet. Rows that need one of these are skipped; empty, every row runs.
    static let missing: Set<Feature> = []
}
