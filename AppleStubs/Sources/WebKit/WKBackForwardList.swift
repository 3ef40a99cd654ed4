import AppleFoundation

// c:objc(cs)WKBackForwardList | iOS 8.0, macOS 10.10 | MainActor | M
@MainActor
public final class WKBackForwardList: NSObject {
    // c:objc(cs)WKBackForwardList(py)currentItem | iOS 8.0, macOS 10.10 | MainActor | M
    public internal(set) var currentItem: WKBackForwardListItem?
    // c:objc(cs)WKBackForwardList(py)backItem | iOS 8.0, macOS 10.10 | MainActor | M
    public var backItem: WKBackForwardListItem? { backList.last }
    // c:objc(cs)WKBackForwardList(py)forwardItem | iOS 8.0, macOS 10.10 | MainActor | M
    public var forwardItem: WKBackForwardListItem? { forwardList.first }
    // c:objc(cs)WKBackForwardList(py)backList | iOS 8.0, macOS 10.10 | MainActor | M
    public internal(set) var backList: [WKBackForwardListItem] = []
    // c:objc(cs)WKBackForwardList(py)forwardList | iOS 8.0, macOS 10.10 | MainActor | M
    public internal(set) var forwardList: [WKBackForwardListItem] = []
}

// c:objc(cs)WKBackForwardListItem | iOS 8.0, macOS 10.10 | MainActor | M
@MainActor
public final class WKBackForwardListItem: NSObject {
    // c:objc(cs)WKBackForwardListItem(py)URL | iOS 8.0, macOS 10.10 | MainActor | M
    public let url: URL
    // c:objc(cs)WKBackForwardListItem(py)initialURL | iOS 8.0, macOS 10.10 | MainActor | M
    public let initialURL: URL
    // c:objc(cs)WKBackForwardListItem(py)title | iOS 8.0, macOS 10.10 | MainActor | M
    public let title: String?

    /// Not in Apple's module, where only WebKit makes them.
    public init(simulating url: URL, title: String? = nil) {
        (self.url, initialURL, self.title) = (url, url, title)
        super.init()
    }
}
