/// The command line of `store-stress`: a directory, then `--name value` pairs.
package struct StressOptions: Sendable {
    package var directory: String
    /// One letter before each line, by which processes are told apart.
    package var name = "A"
    /// Goes into the versions, so that no two processes ever write the same one.
    package var run: UInt64 = 0
    package var seed: UInt64 = 1
    /// Changes by each worker.
    package var operations = 100
    /// Look-ups by the one reader that works beside the workers.
    package var reads = 100
    package var workers = 4
    /// The first worker's number; those of two processes with disjoint keys differ.
    package var firstWorker = 0
    /// All keys that are looked at: those of this many workers from 0 on.
    package var allWorkers = 4
    /// Workers choose among all keys rather than keep to their own.
    package var sharesKeys = false
    /// No body is longer, in bytes.
    package var limit = 2_097_152
    /// The budget of the memory tier in bytes; `nil` for the store's own.
    package var memory: Int64?
    package var fault: BrokenStorage.Fault?
    /// Neither looks at everything first nor tries a change: a reader beside others would find what it finds.
    package var skipsObservation = false
    /// Removes everything at the end, and says what is left in the directory.
    package var clearsAtEnd = false

    /// - Returns: `nil` where an option is not known or has no value.
    package init?(_ arguments: [String]) {
        guard let first = arguments.first else { return nil }
        directory = first
        var rest = arguments.dropFirst()
        while let option = rest.popFirst() {
            guard let value = rest.popFirst() else { return nil }
            switch option {
            case "--name": name = value
            case "--run": run = UInt64(value) ?? 0
            case "--seed": seed = UInt64(value) ?? 0
            case "--operations": operations = Int(value) ?? 0
            case "--reads": reads = Int(value) ?? 0
            case "--workers": workers = Int(value) ?? 0
            case "--first-worker": firstWorker = Int(value) ?? 0
            case "--all-workers": allWorkers = Int(value) ?? 0
            case "--shares-keys": sharesKeys = value == "yes"
            case "--memory": memory = Int64(value)
            case "--limit": limit = Int(value) ?? 0
            case "--skips-observation": skipsObservation = value == "yes"
            case "--clears-at-end": clearsAtEnd = value == "yes"
            case "--fault":
                fault = BrokenStorage.Fault(rawValue: value)
                if fault == nil { return nil }
            default: return nil
            }
        }
    }
}
