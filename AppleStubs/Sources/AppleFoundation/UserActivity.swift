import Foundation

// What an app hands over to another device, and what comes from there.
// c:objc(cs)NSUserActivity | iOS 8.0, macOS 10.10 | nonisolated | M
public final class NSUserActivity: NSObject {
    // c:objc(cs)NSUserActivity(im)initWithActivityType: | iOS 8.0, macOS 10.10 | nonisolated | M
    public init(activityType: String) {
        self.activityType = activityType
        super.init()
    }

    // c:objc(cs)NSUserActivity(py)activityType | iOS 8.0, macOS 10.10 | nonisolated | M
    public let activityType: String
    // c:objc(cs)NSUserActivity(py)title | iOS 8.0, macOS 10.10 | nonisolated | M
    public var title: String?
    // http and https only.
    // c:objc(cs)NSUserActivity(py)webpageURL | iOS 8.0, macOS 10.10 | nonisolated | D
    public var webpageURL: URL?
}
