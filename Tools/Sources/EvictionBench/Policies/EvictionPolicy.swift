/// Which of the stored responses go when the space is used up.
///
/// A value without clock or I/O: what it does depends only on the calls before. Responses are numbered from zero, so
/// that policies can keep their notes in arrays.
package protocol EvictionPolicy {
    /// The bytes of everything stored; never above the budget that the policy was made with.
    var storedBytes: Int { get }

    /// Whether a response is stored now. Changes nothing.
    func isStored(_ response: Int) -> Bool

    /// Notes that a response was asked for.
    ///
    /// - Returns: Whether it is stored.
    mutating func use(_ response: Int) -> Bool

    /// Stores a response that is not stored, and evicts until the budget holds. A policy may turn it away at once.
    ///
    /// - Parameters:
    ///   - size: Bytes; at most the budget.
    ///   - cost: Milliseconds that it took to fetch.
    mutating func add(_ response: Int, size: Int, cost: Double)
}
