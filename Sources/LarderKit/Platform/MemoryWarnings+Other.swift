#if !canImport(Network)
/// Tells when the system runs short of memory: here nobody does.
final class MemoryWarnings: Sendable {
    init(_ handler: @escaping @Sendable () -> Void) {}
}
#endif
