#if canImport(UIKit)
import UIKit

/// A view of this platform.
public typealias PlatformView = UIView

extension UIView {
    /// Adds a view below all others.
    func addBehind(_ view: UIView) { insertSubview(view, at: 0) }
}
#endif
