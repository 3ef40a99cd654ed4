#if canImport(Network)
import Dispatch

/// Tells when the system runs short of memory, until it is gone.
final class MemoryWarnings: Sendable {
    private let source: any DispatchSourceMemoryPressure

    init(_ handler: @escaping @Sendable () -> Void) {
        source = DispatchSource.makeMemoryPressureSource(
            eventMask: [.warning, .critical], queue: .global(qos: .utility))
        source.setEventHandler(handler: handler)
        source.activate()
    }

    deinit { source.cancel() }
}
#endif
