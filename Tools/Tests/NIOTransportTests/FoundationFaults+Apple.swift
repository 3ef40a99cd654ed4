#if !canImport(FoundationNetworking)
import CacheTesting

/// What Foundation on Apple's platforms lacks.
enum FoundationFaults {
    /// No URLSession tells them.
    static let guarantees: Set<TransportConformance.Guarantee> = [.passesOnTrailers]
}
#endif
