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

/// The field that a web view leaves to its network (RFC 9110 §12.5.4).
package enum AcceptLanguage {
    /// The field for a user's languages, most wanted first, such as `de-CH,de;q=0.9,en;q=0.8`; `*` without any. What is no
    /// language tag is left out, and all but the first six.
    package static func field(_ languages: [String]) -> String {
        let tags = languages.filter { tag in
            !tag.isEmpty && tag.utf8.allSatisfy { $0 == 0x2D || (0x30...0x39).contains($0) || isLetter($0) }
        }
        let listed = tags.prefix(6).enumerated().map { index, tag in
            index == 0 ? tag : "\(tag);q=0.\(10 - index)"
        }
        return listed.isEmpty ? "*" : listed.joined(separator: ",")
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}

/// The proxy behind web views: for which hosts it answers, and where it listens.
///
/// All configurations of a `Larder` that ask for the same share one proxy; others have one of their own, over the same store.
/// Without effect in other modes.
public struct WebViewProxyOptions: Hashable, Sendable {
    /// The hosts whose requests the store can answer; all but well-known sign-in and payment hosts unless set.
    public var intercepted = InterceptedHosts.allExcept([])
    /// The port at 127.0.0.1, 0 to 65535; 0, which takes a free one, unless set. Another one is for an app that has to know the
    /// port beforehand. Where it is taken, or is no port, web views connect by themselves, and the reason says so. It may change
    /// when the app comes back from the background and another program has it; web views follow.
    public var port = 0
    /// Whether responses carry `Cache-Status` (RFC 9211), which scripts of pages can read; not unless set.
    public var sendsCacheStatus = false
    /// Whether the key of the proxy's certificate authority is a file of mode 0600 in the store's folder, and not in the
    /// keychain; not unless set. For programs on a Mac that are not signed, to which the keychain is closed.
    public var keepsKeyInStoreFolder = false

    /// The defaults.
    public init() {}
}
