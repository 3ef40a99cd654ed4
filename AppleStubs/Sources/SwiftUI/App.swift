// An app and its windows, as far as the example uses them: nothing is started.

// s:7SwiftUI3AppP | iOS 14.0, macOS 11.0 | MainActor | M
@MainActor
public protocol App {
    // identifier unknown | iOS 14.0, macOS 11.0 | nonisolated | M
    associatedtype Body: Scene
    // identifier unknown | iOS 14.0, macOS 11.0 | MainActor | M
    @SceneBuilder var body: Body { get }
    // identifier unknown | iOS 14.0, macOS 11.0 | MainActor | M
    init()
}

extension App {
    // identifier unknown | iOS 14.0, macOS 11.0 | MainActor | M
    public static func main() { _ = Self() }
}

// s:7SwiftUI5SceneP | iOS 14.0, macOS 11.0 | MainActor | M
@MainActor
public protocol Scene {}

// s:7SwiftUI12SceneBuilderV | iOS 14.0, macOS 11.0 | nonisolated | M
@resultBuilder
public struct SceneBuilder {
    // identifier unknown | iOS 14.0, macOS 11.0 | nonisolated | M
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

// s:7SwiftUI11WindowGroupV | iOS 14.0, macOS 11.0 | MainActor | M
@MainActor
public struct WindowGroup<Content: View>: Scene {
    // identifier unknown | iOS 14.0, macOS 11.0 | MainActor | M
    public init(@ViewBuilder content: () -> Content) {}
}
