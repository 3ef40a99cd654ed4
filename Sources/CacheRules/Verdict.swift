/// What a rule decides about an exchange.
public enum Verdict: Hashable, Sendable {
    /// Answer from the store whatever the age, else say that the network is gone.
    case onlyIfStored
    /// Forward, and neither look up nor store.
    case bypass
    /// Look up as usual, but store the answer only if it states its own freshness.
    case storeOnlyIfExplicit
    /// RFC 9111 and nothing else.
    case followProtocol
}
