import CacheEngine
import Fetching
import Foundation
import Locking

/// The settings and functions by which a class of ``CachingURLProtocol`` answers.
struct SessionRegistration: Sendable {
    let owner: ObjectIdentifier
    let settings: SessionSettings
    let clock: EngineClock
    let isAlive: @Sendable () -> Bool
    let answer: @Sendable (URLRequest, RequestBody?) async -> LoadAnswer

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
final class SessionRegistrations: Sendable {
    private struct State: Sendable {
        /// Registrations by number, never given again: a session may keep its class until the app
        /// ends.
        var all: [SessionRegistration?] = []
        var numbers: [ObjectIdentifier: Int] = [:]
    }

    static let shared = SessionRegistrations()

    private let state = LockedBox(State())

    /// The class for a registration; the same for what was registered before.
    func protocolClass(for registration: SessionRegistration) -> AnyClass {
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
    /// Puts a class that answers in front of the classes that are there, and in place of an earlier registration's.
    ///
    /// - Parameters:
    ///   - owner: Registrations of one owner with equal settings share a class.
    ///   - isAlive: Whether there is anybody to answer. Without, a session goes on as if nothing were registered.
    package func register(
        owner: ObjectIdentifier, clock: EngineClock, isAlive: @escaping @Sendable () -> Bool,
        answer: @escaping @Sendable (URLRequest, RequestBody?) async -> LoadAnswer
    ) {
        removeAnsweringProtocols()
        loadThroughProtocols()
        let registration = SessionRegistration(
            owner: owner, settings: SessionSettings(self), clock: clock, isAlive: isAlive, answer: answer)
        protocolClasses = [SessionRegistrations.shared.protocolClass(for: registration)] + (protocolClasses ?? [])
    }
}

/// A number as a type, in binary: a session is given a class, and each registration needs one of its own, made while
/// the app runs. Swift makes as many classes of one generic class as there are types to put into it, on every platform.
protocol ClassNumber {}

enum Zero: ClassNumber {}
/// Twice the number.
enum Even<Half: ClassNumber>: ClassNumber {}
/// Twice the number and one.
enum Odd<Half: ClassNumber>: ClassNumber {}

extension ClassNumber {
    private static var even: any ClassNumber.Type { Even<Self>.self }
    private static var odd: any ClassNumber.Type { Odd<Self>.self }
    fileprivate static var protocolClass: CachingURLProtocol.Type { NumberedURLProtocol<Self>.self }

    fileprivate static func appending(_ bit: Int) -> any ClassNumber.Type { bit == 0 ? even : odd }
}

extension CachingURLProtocol {
    /// A class that no other number has, and that a number has again.
    static func numbered(_ number: Int) -> CachingURLProtocol.Type {
        var (type, rest): (any ClassNumber.Type, Int) = (Zero.self, number)
        while rest > 0 {
            type = type.appending(rest & 1)
            rest >>= 1
        }
        return type.protocolClass
    }
}
