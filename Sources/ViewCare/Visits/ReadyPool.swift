/// Things that take long to make, made ahead: a web view's first one starts processes.
@MainActor
package final class ReadyPool<Item> {
    private let make: () -> Item
    private var items: [Item] = []
    /// How many are kept ready; 0 makes each when it is asked for.
    package let capacity: Int

    /// - Parameter capacity: 1 unless set; at most 4, because each web view takes tens of megabytes.
    package init(capacity: Int = 1, make: @escaping () -> Item) {
        self.capacity = min(max(0, capacity), 4)
        self.make = make
    }

    /// How many are ready.
    package var count: Int { items.count }

    /// Makes what is missing. Call it when nothing else is to be done, such as after the first screen was shown.
    package func warmUp() {
        while items.count < capacity { items.append(make()) }
    }

    /// One that is ready, else a new one. The pool keeps nothing of it.
    package func take() -> Item { items.isEmpty ? make() : items.removeFirst() }

    /// Gives up what is ready, as when the system is short of memory.
    package func drain() { items = [] }
}
