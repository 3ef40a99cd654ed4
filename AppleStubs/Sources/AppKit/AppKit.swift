import Foundation

// Stand-ins for AppKit, as far as adapters of web views use it. That the module is there tells the other adapters that they
// are on a Mac; they use none of it.

// c:objc(cs)NSResponder | iOS none, macOS 10.0 | MainActor | M
@MainActor
open class NSResponder: NSObject {}

// c:objc(cs)NSView | iOS none, macOS 10.0 | MainActor | M
@MainActor
open class NSView: NSResponder {
    // c:objc(cs)NSView(py)frame | iOS none, macOS 10.0 | MainActor | M
    public var frame: CGRect
    // c:objc(cs)NSView(py)subviews | iOS none, macOS 10.0 | MainActor | M
    public private(set) var subviews: [NSView] = []
    // c:objc(cs)NSView(py)superview | iOS none, macOS 10.0 | MainActor | M
    public private(set) weak var superview: NSView?
    // c:objc(cs)NSView(py)hidden | iOS none, macOS 10.0 | MainActor | M
    public var isHidden = false

    // c:objc(cs)NSView(im)initWithFrame: | iOS none, macOS 10.0 | MainActor | M
    public init(frame: CGRect) {
        self.frame = frame
        super.init()
    }

    // c:objc(cs)NSView(im)addSubview: | iOS none, macOS 10.0 | MainActor | M
    public func addSubview(_ view: NSView) {
        view.removeFromSuperview()
        subviews.append(view)
        view.superview = self
    }

    // c:@E@NSWindowOrderingMode | iOS none, macOS 10.0 | Sendable | M
    public enum OrderingMode: Int, Sendable {
        // c:@E@NSWindowOrderingMode@NSWindowBelow | iOS none, macOS 10.0 | Sendable | M
        case below = -1
    }

    // c:objc(cs)NSView(im)addSubview:positioned:relativeTo: | iOS none, macOS 10.0 | MainActor | M
    public func addSubview(_ view: NSView, positioned place: OrderingMode, relativeTo otherView: NSView?) {
        addSubview(view)
    }

    // c:objc(cs)NSView(im)removeFromSuperview | iOS none, macOS 10.0 | MainActor | M
    public func removeFromSuperview() {
        superview?.subviews.removeAll { $0 === self }
        superview = nil
    }
}

// c:objc(cs)NSProgressIndicator | iOS none, macOS 10.0 | MainActor | M
@MainActor
open class NSProgressIndicator: NSView {
    // c:objc(cs)NSProgressIndicator(py)doubleValue | iOS none, macOS 10.0 | MainActor | M
    public var doubleValue = 0.0
    // c:objc(cs)NSProgressIndicator(py)minValue | iOS none, macOS 10.0 | MainActor | M
    public var minValue = 0.0
    // c:objc(cs)NSProgressIndicator(py)maxValue | iOS none, macOS 10.0 | MainActor | M
    public var maxValue = 100.0
    // c:objc(cs)NSProgressIndicator(py)indeterminate | iOS none, macOS 10.0 | MainActor | M
    public var isIndeterminate = true
}

// c:objc(cs)NSWorkspace | iOS none, macOS 10.0 | nonisolated | M
public final class NSWorkspace: NSObject, @unchecked Sendable {
    // c:objc(cs)NSWorkspace(cpy)sharedWorkspace | iOS none, macOS 10.0 | nonisolated | M
    public class var shared: NSWorkspace { single }
    private static let single = NSWorkspace()
    /// Not in Apple's module: what was opened.
    @MainActor public var opened: [URL] = []

    // c:objc(cs)NSWorkspace(im)openURL: | iOS none, macOS 10.0 | nonisolated | M
    @MainActor
    public func open(_ url: URL) -> Bool {
        opened.append(url)
        return true
    }
}
