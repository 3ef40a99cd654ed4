/// Things that take long to make, made ahead: a web view's first one starts processes.
@MainActor
public final class ReadyPool<Item> {
    private let make: () -> Item
    private var items: [Item] = []
    /// How many are kept ready; 0 makes each when it is asked for.
    public let capacity: Int

    /// - Parameter capacity: 1 unless set; at most 4, because each web view takes tens of megabytes.
    public init(capacity: Int = 1, make: @escaping () -> Item) {
        self.capacity = min(max(0, capacity), 4)
        self.make = make
    }

    /// How many are ready.
    public var count: Int { items.count }

    /// Makes what is missing. Call it when nothing else is to be done, such as after the first screen was shown.
    public func warmUp() {
        while items.count < capacity { items.append(make()) }
    }

    /// One that is ready, else a new one. The pool keeps nothing of it.
    public func take() -> Item { items.isEmpty ? make() : items.removeFirst() }

    /// Gives up what is ready, as when the system is short of memory.
    public func drain() { items = [] }
}
