import AppleFoundation

// c:objc(cs)WKUserContentController | iOS 8.0, macOS 10.10 | MainActor | S
@MainActor
public final class WKUserContentController: NSObject {
    /// Not in Apple's module: where a handler is.
    public struct Place: Hashable, Sendable {
        public var world: WKContentWorld
        public var name: String

        public init(_ world: WKContentWorld, _ name: String) { (self.world, self.name) = (world, name) }
    }

    // c:objc(cs)WKUserContentController(py)userScripts | iOS 8.0, macOS 10.10 | MainActor | S
    public private(set) var userScripts: [WKUserScript] = []
    /// Not in Apple's module. They are retained, as WebKit does.
    public private(set) var simulatedHandlers: [Place: AnyObject] = [:]
    /// Not in Apple's module: what raises an exception in WebKit.
    public private(set) var faults: [String] = []

    // c:objc(cs)WKUserContentController(im)init | iOS 8.0, macOS 10.10 | MainActor | S
    public override init() { super.init() }

    // c:objc(cs)WKUserContentController(im)addUserScript: | iOS 8.0, macOS 10.10 | MainActor | S
    public func addUserScript(_ userScript: WKUserScript) { userScripts.append(userScript) }

    // c:objc(cs)WKUserContentController(im)removeAllUserScripts | iOS 8.0, macOS 10.10 | MainActor | S
    public func removeAllUserScripts() { userScripts = [] }

    /// Not in Apple's module.
    public private(set) var simulatedRuleLists: [WKContentRuleList] = []

    // c:objc(cs)WKUserContentController(im)addContentRuleList: | iOS 11.0, macOS 10.13 | MainActor | S
    public func add(_ contentRuleList: WKContentRuleList) { simulatedRuleLists.append(contentRuleList) }

    // c:objc(cs)WKUserContentController(im)addScriptMessageHandler:contentWorld:name: | iOS 14.0, macOS 11.0 | MainActor | S
    public func add(
        _ scriptMessageHandler: any WKScriptMessageHandler, contentWorld world: WKContentWorld, name: String
    ) { add(scriptMessageHandler, Place(world, name)) }

    // c:objc(cs)WKUserContentController(im)addScriptMessageHandlerWithReply:contentWorld:name: | iOS 14.0, macOS 11.0 | MainActor | S
    public func addScriptMessageHandler(
        _ scriptMessageHandlerWithReply: any WKScriptMessageHandlerWithReply, contentWorld: WKContentWorld, name: String
    ) { add(scriptMessageHandlerWithReply, Place(contentWorld, name)) }

    // c:objc(cs)WKUserContentController(im)removeScriptMessageHandlerForName:contentWorld: | iOS 14.0, macOS 11.0 | MainActor | S
    public func removeScriptMessageHandler(forName name: String, contentWorld: WKContentWorld) {
        simulatedHandlers[Place(contentWorld, name)] = nil
    }

    // c:objc(cs)WKUserContentController(im)removeAllScriptMessageHandlersFromContentWorld: | iOS 14.0, macOS 11.0 | MainActor | S
    public func removeAllScriptMessageHandlers(from contentWorld: WKContentWorld) {
        simulatedHandlers = simulatedHandlers.filter { $0.key.world != contentWorld }
    }

    private func add(_ handler: AnyObject, _ place: Place) {
        if place.name.isEmpty { faults.append("a handler without a name") }
        if simulatedHandlers[place] != nil { faults.append("two handlers of the name \(place.name)") }
        simulatedHandlers[place] = handler
    }
}

// c:objc(cs)WKUserScript | iOS 8.0, macOS 10.10 | MainActor | S
@MainActor
public final class WKUserScript: NSObject {
    // c:objc(cs)WKUserScript(py)source | iOS 8.0, macOS 10.10 | MainActor | S
    public let source: String
    // c:objc(cs)WKUserScript(py)injectionTime | iOS 8.0, macOS 10.10 | MainActor | S
    public let injectionTime: WKUserScriptInjectionTime
    // c:objc(cs)WKUserScript(py)forMainFrameOnly | iOS 8.0, macOS 10.10 | MainActor | S
    public let isForMainFrameOnly: Bool
    /// Not in Apple's module.
    public let simulatedWorld: WKContentWorld

    // c:objc(cs)WKUserScript(im)initWithSource:injectionTime:forMainFrameOnly: | iOS 8.0, macOS 10.10 | MainActor | S
    public convenience init(source: String, injectionTime: WKUserScriptInjectionTime, forMainFrameOnly: Bool) {
        self.init(source: source, injectionTime: injectionTime, forMainFrameOnly: forMainFrameOnly, in: .page)
    }

    // c:objc(cs)WKUserScript(im)initWithSource:injectionTime:forMainFrameOnly:inContentWorld: | iOS 14.0, macOS 11.0 | MainActor | S
    public init(
        source: String, injectionTime: WKUserScriptInjectionTime, forMainFrameOnly: Bool,
        in contentWorld: WKContentWorld
    ) {
        (self.source, self.injectionTime, isForMainFrameOnly) = (source, injectionTime, forMainFrameOnly)
        simulatedWorld = contentWorld
        super.init()
    }
}

// c:@E@WKUserScriptInjectionTime | iOS 8.0, macOS 10.10 | Sendable | S
public enum WKUserScriptInjectionTime: Int, Sendable {
    // c:@E@WKUserScriptInjectionTime@WKUserScriptInjectionTimeAtDocumentStart | iOS 8.0, macOS 10.10 | Sendable | S
    case atDocumentStart = 0
    // c:@E@WKUserScriptInjectionTime@WKUserScriptInjectionTimeAtDocumentEnd | iOS 8.0, macOS 10.10 | Sendable | S
    case atDocumentEnd = 1
}

// c:objc(cs)WKContentWorld | iOS 14.0, macOS 11.0 | MainActor | M
@MainActor
public final class WKContentWorld: NSObject {
    // c:objc(cs)WKContentWorld(cpy)pageWorld | iOS 14.0, macOS 11.0 | MainActor | M
    public class var page: WKContentWorld { pageWorld }
    // c:objc(cs)WKContentWorld(cpy)defaultClientWorld | iOS 14.0, macOS 11.0 | MainActor | M
    public class var defaultClient: WKContentWorld { clientWorld }
    // c:objc(cs)WKContentWorld(py)name | iOS 14.0, macOS 11.0 | MainActor | M
    public let name: String?
    private static let pageWorld = WKContentWorld(simulating: nil)
    private static let clientWorld = WKContentWorld(simulating: nil)
    private static var named: [String: WKContentWorld] = [:]

    private init(simulating name: String?) {
        self.name = name
        super.init()
    }

    // The same for the same name.
    // c:objc(cs)WKContentWorld(cm)worldWithName: | iOS 14.0, macOS 11.0 | MainActor | M
    public class func world(name: String) -> WKContentWorld {
        if let world = named[name] { return world }
        let world = WKContentWorld(simulating: name)
        named[name] = world
        return world
    }
}
