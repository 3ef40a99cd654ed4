import AppleFoundation

// c:objc(cs)WKContentRuleList | iOS 11.0, macOS 10.13 | MainActor | S
@MainActor
public final class WKContentRuleList: NSObject {
    // c:objc(cs)WKContentRuleList(py)identifier | iOS 11.0, macOS 10.13 | MainActor | S
    public var identifier: String! { name }
    private let name: String
    /// Not in Apple's module.
    public let simulatedSource: String

    init(_ name: String, _ source: String) {
        (self.name, simulatedSource) = (name, source)
        super.init()
    }
}

// c:objc(cs)WKContentRuleListStore | iOS 11.0, macOS 10.13 | MainActor | S
@MainActor
public final class WKContentRuleListStore: NSObject {
    private static let shared = WKContentRuleListStore()

    // c:objc(cs)WKContentRuleListStore(cm)defaultStore | iOS 11.0, macOS 10.13 | MainActor | S
    public class func `default`() -> WKContentRuleListStore! { shared }

    // c:objc(cs)WKContentRuleListStore(im)compileContentRuleListForIdentifier:encodedContentRuleList:completionHandler: | iOS 11.0, macOS 10.13 | MainActor | S
    public func compileContentRuleList(
        forIdentifier identifier: String!, encodedContentRuleList: String!,
        completionHandler: (@MainActor @Sendable (WKContentRuleList?, (any Error)?) -> Void)!
    ) {
        completionHandler(WKContentRuleList(identifier, encodedContentRuleList), nil)
    }
}
