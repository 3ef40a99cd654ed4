import Foundation

// On Linux no property can be observed; the stand-ins tell of theirs themselves.

// identifier unknown | iOS 11.0, macOS 10.13 | nonisolated | M
public protocol _KeyValueCodingAndObserving: NSObject {
    /// Not in Apple's module: keeps the closure until the token is gone, and calls it after each change.
    @MainActor func simulateObserving(_ key: AnyKeyPath, _ changed: @escaping @Sendable () -> Void) -> AnyObject
}

// c:@E@NSKeyValueObservingOptions | iOS 2.0, macOS 10.3 | Sendable | M
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    // identifier unknown | iOS 2.0, macOS 10.3 | Sendable | M
    public let rawValue: UInt
    // identifier unknown | iOS 2.0, macOS 10.3 | Sendable | M
    public init(rawValue: UInt) { self.rawValue = rawValue }
    // c:@E@NSKeyValueObservingOptions@NSKeyValueObservingOptionNew | iOS 2.0, macOS 10.3 | Sendable | M
    public static let new = NSKeyValueObservingOptions(rawValue: 1)
    // c:@E@NSKeyValueObservingOptions@NSKeyValueObservingOptionInitial | iOS 2.0, macOS 10.5 | Sendable | M
    public static let initial = NSKeyValueObservingOptions(rawValue: 4)
}

// s:10Foundation24NSKeyValueObservedChangeV | iOS 11.0, macOS 10.13 | nonisolated | M
public struct NSKeyValueObservedChange<Value> {
    // identifier unknown | iOS 11.0, macOS 10.13 | nonisolated | M
    public let newValue: Value?
}

// s:10Foundation21NSKeyValueObservationC | iOS 11.0, macOS 10.13 | nonisolated | M
public final class NSKeyValueObservation: NSObject {
    private var token: AnyObject?

    init(_ token: AnyObject) { self.token = token }

    // identifier unknown | iOS 11.0, macOS 10.13 | nonisolated | M
    public func invalidate() { token = nil }
}

extension _KeyValueCodingAndObserving {
    // Apple's has no actor; where the handler is called is where the value was changed, which for a web view is the main
    // thread. Whether the handler is Sendable depends on the SDK, so it has to be here.
    // identifier unknown | iOS 11.0, macOS 10.13 | nonisolated | M
    @MainActor
    public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping @Sendable (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        // Only used where the stand-in tells of a change: on the main thread.
        nonisolated(unsafe) let path = keyPath
        nonisolated(unsafe) weak let subject = self
        let change: @Sendable () -> Void = {
            guard let subject else { return }
            changeHandler(subject, NSKeyValueObservedChange(newValue: subject[keyPath: path]))
        }
        if options.contains(.initial) { change() }
        return NSKeyValueObservation(simulateObserving(keyPath, change))
    }
}
