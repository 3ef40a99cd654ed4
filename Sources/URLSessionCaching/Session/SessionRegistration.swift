import CacheEngine
import Fetching
import Foundation
import Locking

/// The settings and functions by which a class of ``CachingURLProtocol`` answers.
package struct SessionRegistration: Sendable {
    /// The owner; registrations of one owner with equal settings share a class.
    package var owner: ObjectIdentifier
    package var settings: SessionSettings
    package var clock: EngineClock
    /// Whether there is anybody to answer. Without, a session goes on as if nothing were registered.
    package var isAlive: @Sendable () -> Bool
    package var answer: @Sendable (URLRequest, RequestBody?) async -> LoadAnswer

    package init(
        owner: ObjectIdentifier, settings: SessionSettings, clock: EngineClock,
        isAlive: @escaping @Sendable () -> Bool,
        answer: @escaping @Sendable (URLRequest, RequestBody?) async -> LoadAnswer
    ) {
        self.owner = owner
        self.settings = settings
        self.clock = clock
        self.isAlive = isAlive
        self.answer = answer
    }

    func takes(_ request: URLRequest) -> Bool {
        guard let scheme = request.url?.scheme?.lowercased(), scheme == "http" || scheme == "https" else {
            return false
        }
        guard request.value(forHTTPHeaderField: "Upgrade") == nil else { return false }
        return isAlive()
    }
}

/// Which class belongs to which registration. The one global table of the package: a session makes its protocols
/// itself, and tells them nothing but the class and the request.
package final class SessionRegistrations: Sendable {
    private struct State: Sendable {
        /// Registrations by number, never given again: a session may keep its class until the app
        /// ends.
        var all: [SessionRegistration?] = []
        var numbers: [ObjectIdentifier: Int] = [:]
    }

    package static let shared = SessionRegistrations()

    private let state = LockedBox(State())

    /// The class for a registration; the same for what was registered before.
    package func protocolClass(for registration: SessionRegistration) -> AnyClass {
        state.withLock { state in
            // Before owners are compared: a new one may have the address of one that is gone.
            for number in state.all.indices where state.all[number]?.isAlive() == false { state.all[number] = nil }
            let known = state.all.firstIndex { known in
                known?.owner == registration.owner && known?.settings == registration.settings
            }
            if let known { return CachingURLProtocol.numbered(known) }
            let type = CachingURLProtocol.numbered(state.all.count)
            state.numbers[ObjectIdentifier(type)] = state.all.count
            state.all.append(registration)
            return type
        }
    }

    func registration(of type: CachingURLProtocol.Type) -> SessionRegistration? {
        state.withLock { state in state.numbers[ObjectIdentifier(type)].flatMap { state.all[$0] } }
    }
}

extension URLSessionConfiguration {
    /// Puts the registration's class in front of the classes that are there, and in place of an earlier registration's.
    package func register(_ registration: SessionRegistration) {
        removeAnsweringProtocols()
        loadThroughProtocols()
        protocolClasses =
            [SessionRegistrations.shared.protocolClass(for: registration)] + (protocolClasses ?? [])
    }
}
