import Locking

/// Somebody who has to look after something of the system's once the app goes on.
protocol ResumptionListener: AnyObject, Sendable {
    /// Must return at once.
    func larderDidResume()
}

/// Those who are told when a ``Larder`` goes on. Keeps none of them alive.
final class ResumptionListeners: Sendable {
    private struct Weak: Sendable {
        weak var listener: (any ResumptionListener)?
    }

    private let listeners = LockedBox<[Weak]>([])

    func add(_ listener: any ResumptionListener) {
        listeners.withLock { listeners in
            listeners.removeAll { $0.listener == nil }
            listeners.append(Weak(listener: listener))
        }
    }

    var all: [any ResumptionListener] { listeners.withLock { $0.compactMap(\.listener) } }
}
