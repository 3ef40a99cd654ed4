/// A change to what is stored under a key. The raw value is its byte in the file of ``ChangeLog``.
enum KeyChange: UInt8 {
    case invalidated = 1
    case stored = 2
    /// A response arrived and was not stored, because its key was invalidated after its request left.
    case refused = 3
}

/// The changes to a key since a mark.
struct KeyHistory: Hashable {
    var isInvalidated = false
    var wasStored = false
    var wasRefused = false

    mutating func add(_ change: KeyChange) {
        switch change {
        case .invalidated: isInvalidated = true
        case .stored: wasStored = true
        case .refused: wasRefused = true
        }
    }
}
