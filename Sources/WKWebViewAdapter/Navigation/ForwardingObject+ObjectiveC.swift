#if canImport(ObjectiveC)
import Foundation

/// Passes messages for which it has no method on to another object, and says that it has those methods: a delegate in front of
/// a delegate. Methods that a later system adds reach the app in this way too.
class ForwardingObject: NSObject {
    /// Not kept alive. Read on the main thread, where web views call their delegates; the runtime asks from nowhere else.
    nonisolated(unsafe) weak var receiver: (any NSObjectProtocol)?

    override func responds(to aSelector: Selector!) -> Bool {
        super.responds(to: aSelector) || receiver?.responds(to: aSelector) == true
    }

    override func forwardingTarget(for aSelector: Selector!) -> Any? {
        receiver?.responds(to: aSelector) == true ? receiver : super.forwardingTarget(for: aSelector)
    }
}
#endif
