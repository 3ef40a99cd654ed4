// What views show and change.

/// Where a stand-in keeps a value: what its wrapper shows is set without the view being changed.
private final class Place<Value> {
    var value: Value
    init(_ value: Value) { self.value = value }
}

// s:7SwiftUI5StateV | iOS 13.0, macOS 10.15 | nonisolated | M
@propertyWrapper
public struct State<Value> {
    private let place: Place<Value>

    // identifier unknown | iOS 13.0, macOS 10.15 | nonisolated | M
    public init(wrappedValue value: Value) { place = Place(value) }
    // identifier unknown | iOS 13.0, macOS 10.15 | nonisolated | M
    public var wrappedValue: Value {
        get { place.value }
        nonmutating set { place.value = newValue }
    }
    // identifier unknown | iOS 13.0, macOS 10.15 | nonisolated | M
    public var projectedValue: Binding<Value> {
        let place = place
        return Binding(simulating: { place.value }, { place.value = $0 })
    }
}

extension State where Value: ExpressibleByNilLiteral {
    // identifier unknown | iOS 13.0, macOS 10.15 | nonisolated | M
    public init() { self.init(wrappedValue: nil) }
}

// s:7SwiftUI7BindingV | iOS 13.0, macOS 10.15 | nonisolated | M
@dynamicMemberLookup
public struct Binding<Value> {
    private let get: () -> Value
    private let set: (Value) -> Void

    /// Not in Apple's module, whose closures are isolated.
    init(simulating get: @escaping () -> Value, _ set: @escaping (Value) -> Void) { (self.get, self.set) = (get, set) }

    // identifier unknown | iOS 13.0, macOS 10.15 | nonisolated | M
    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        let (get, set) = (get, set)
        return Binding<Subject>(
            simulating: { get()[keyPath: keyPath] },
            {
                var value = get()
                value[keyPath: keyPath] = $0
                set(value)
            })
    }
}

// s:7SwiftUI14ObservedObjectV | iOS 13.0, macOS 10.15 | MainActor | M
@MainActor
@propertyWrapper
public struct ObservedObject<ObjectType: ObservableObject> {
    // identifier unknown | iOS 13.0, macOS 10.15 | MainActor | M
    public init(wrappedValue: ObjectType) { self.wrappedValue = wrappedValue }
    // identifier unknown | iOS 13.0, macOS 10.15 | MainActor | M
    public var wrappedValue: ObjectType
    // identifier unknown | iOS 13.0, macOS 10.15 | MainActor | M
    public var projectedValue: Wrapper { Wrapper(object: wrappedValue) }

    // identifier unknown | iOS 13.0, macOS 10.15 | MainActor | M
    @MainActor
    @dynamicMemberLookup
    public struct Wrapper {
        let object: ObjectType

        // identifier unknown | iOS 13.0, macOS 10.15 | MainActor | M
        public subscript<Subject>(
            dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>
        ) -> Binding<Subject> {
            let object = object
            return Binding(simulating: { object[keyPath: keyPath] }, { object[keyPath: keyPath] = $0 })
        }
    }
}

// Of the module Combine in truth, which SwiftUI shows.
// s:7Combine16ObservableObjectP | iOS 13.0, macOS 10.15 | nonisolated | M
public protocol ObservableObject: AnyObject {}

// Of the module Combine in truth. There it tells its object's observers.
// s:7Combine9PublishedV | iOS 13.0, macOS 10.15 | nonisolated | M
@propertyWrapper
public struct Published<Value> {
    // identifier unknown | iOS 13.0, macOS 10.15 | nonisolated | M
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    // identifier unknown | iOS 13.0, macOS 10.15 | nonisolated | M
    public var wrappedValue: Value
}
