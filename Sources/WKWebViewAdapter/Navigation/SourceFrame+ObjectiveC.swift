#if canImport(WebKit) && canImport(ObjectiveC)
import Foundation
import WebKit

extension WKNavigationAction {
    /// The frame that asked; `nil` where WebKit has none, as on macOS 15.1 for the first load of a web view, though
    /// `sourceFrame` is declared without it. A Swift program that reads such a property assumes that there is one, and
    /// may be compiled accordingly; a message's result may be nothing.
    var source: WKFrameInfo? {
        perform(#selector(getter: WKNavigationAction.sourceFrame))?.takeUnretainedValue() as? WKFrameInfo
    }
}
#endif
