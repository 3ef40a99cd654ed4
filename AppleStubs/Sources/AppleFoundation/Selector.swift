// s:10ObjectiveC8SelectorV | iOS 8.0, macOS 10.10 | Sendable | M
public struct Selector: Hashable, Sendable {
    /// Not in Apple's module.
    public let name: String
}

// c:@F@NSSelectorFromString | iOS 2.0, macOS 10.0 | nonisolated | M
public func NSSelectorFromString(_ aSelectorName: String) -> Selector { Selector(name: aSelectorName) }
