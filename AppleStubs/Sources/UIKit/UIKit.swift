import AppKit
import Foundation

// Stand-ins for UIKit, as far as adapters use it. That the module is there tells them that they are on iOS or one of its kin.

// Here, and only here, a view of iOS is one of macOS as well: adapters for both are compiled in one build, and a web view is
// a view of either.
// c:objc(cs)UIView | iOS 2.0, macOS none | MainActor | M
@MainActor
open class UIView: NSView {
    // c:objc(cs)UIView(py)alpha | iOS 2.0, macOS none | MainActor | M
    public var alpha: CGFloat = 1
    // c:objc(cs)UIView(py)bounds | iOS 2.0, macOS none | MainActor | M
    public var bounds: CGRect { CGRect(origin: .zero, size: frame.size) }
    // c:objc(cs)UIView(py)autoresizingMask | iOS 2.0, macOS none | MainActor | M
    public var autoresizingMask: AutoresizingMask = []

    // c:@E@UIViewAutoresizing | iOS 2.0, macOS none | Sendable | M
    public struct AutoresizingMask: OptionSet, Sendable {
        // identifier unknown | iOS 2.0, macOS none | Sendable | M
        public let rawValue: UInt
        // identifier unknown | iOS 2.0, macOS none | Sendable | M
        public init(rawValue: UInt) { self.rawValue = rawValue }
        // c:@E@UIViewAutoresizing@UIViewAutoresizingFlexibleWidth | iOS 2.0, macOS none | Sendable | M
        public static let flexibleWidth = AutoresizingMask(rawValue: 2)
        // c:@E@UIViewAutoresizing@UIViewAutoresizingFlexibleHeight | iOS 2.0, macOS none | Sendable | M
        public static let flexibleHeight = AutoresizingMask(rawValue: 16)
    }

    // c:objc(cs)UIView(im)insertSubview:atIndex: | iOS 2.0, macOS none | MainActor | M
    public func insertSubview(_ view: UIView, at index: Int) { addSubview(view) }
}

// c:objc(cs)UIScrollView | iOS 2.0, macOS none | MainActor | M
@MainActor
open class UIScrollView: UIView {
    // c:objc(cs)UIScrollView(py)contentInset | iOS 2.0, macOS none | MainActor | M
    public var contentInset = UIEdgeInsets.zero
    // c:objc(cs)UIScrollView(py)contentSize | iOS 2.0, macOS none | MainActor | M
    public var contentSize = CGSize.zero
}

// c:@S@UIEdgeInsets | iOS 2.0, macOS none | Sendable | M
public struct UIEdgeInsets: Hashable, Sendable {
    // c:@S@UIEdgeInsets@FI@top | iOS 2.0, macOS none | Sendable | M
    public var top: CGFloat
    // c:@S@UIEdgeInsets@FI@left | iOS 2.0, macOS none | Sendable | M
    public var left: CGFloat
    // c:@S@UIEdgeInsets@FI@bottom | iOS 2.0, macOS none | Sendable | M
    public var bottom: CGFloat
    // c:@S@UIEdgeInsets@FI@right | iOS 2.0, macOS none | Sendable | M
    public var right: CGFloat
    // identifier unknown | iOS 2.0, macOS none | Sendable | M
    public static let zero = UIEdgeInsets(top: 0, left: 0, bottom: 0, right: 0)

    // identifier unknown | iOS 2.0, macOS none | Sendable | M
    public init(top: CGFloat, left: CGFloat, bottom: CGFloat, right: CGFloat) {
        (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
    }
}

// c:objc(cs)UIProgressView | iOS 2.0, macOS none | MainActor | M
@MainActor
open class UIProgressView: UIView {
    // c:objc(cs)UIProgressView(py)progress | iOS 2.0, macOS none | MainActor | M
    public var progress: Float = 0

    // c:objc(cs)UIProgressView(im)setProgress:animated: | iOS 5.0, macOS none | MainActor | M
    public func setProgress(_ progress: Float, animated: Bool) { self.progress = progress }
}

// c:objc(cs)UIViewController | iOS 2.0, macOS none | MainActor | M
@MainActor
open class UIViewController: NSObject {
    // c:objc(cs)UIViewController(py)view | iOS 2.0, macOS none | MainActor | M
    public var view: UIView! = UIView(frame: .zero)
    // c:objc(cs)UIViewController(py)title | iOS 2.0, macOS none | MainActor | M
    public var title: String?

    // c:objc(cs)UIViewController(im)initWithNibName:bundle: | iOS 2.0, macOS none | MainActor | M
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }
    // c:objc(pl)NSCoding(im)initWithCoder: | iOS 2.0, macOS none | MainActor | M
    public required init?(coder: NSCoder) { super.init() }
    // c:objc(cs)UIViewController(im)viewDidLoad | iOS 2.0, macOS none | MainActor | M
    open func viewDidLoad() {}
}
