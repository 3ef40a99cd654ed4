import AppKit
import UIKit
import WebKit

// Stand-ins for SwiftUI, as far as adapters of web views use it: nothing is drawn.

// s:7SwiftUI4ViewP | iOS 13.0, macOS 10.15 | MainActor | M
@MainActor
public protocol View {
    // s:7SwiftUI4ViewP4BodyQa | iOS 13.0, macOS 10.15 | nonisolated | M
    associatedtype Body: View
    // s:7SwiftUI4ViewP4body4BodyQzvp | iOS 13.0, macOS 10.15 | MainActor | M
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    public var body: Never { self }
}

// s:7SwiftUI11ViewBuilderV | iOS 13.0, macOS 10.15 | nonisolated | M
@resultBuilder
public struct ViewBuilder {
    // identifier unknown | iOS 13.0, macOS 10.15 | nonisolated | M
    public static func buildBlock() -> EmptyView { EmptyView() }
    // identifier unknown | iOS 13.0, macOS 10.15 | nonisolated | M
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    // identifier unknown | iOS 13.0, macOS 10.15 | nonisolated | M
    public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> TupleView<(repeat each Content)> { TupleView() }
    // identifier unknown | iOS 13.0, macOS 10.15 | nonisolated | M
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    // identifier unknown | iOS 14.0, macOS 11.0 | nonisolated | M
    public static func buildLimitedAvailability<Content: View>(_ content: Content) -> AnyView { AnyView(content) }
    // identifier unknown | iOS 13.0, macOS 10.15 | nonisolated | M
    public static func buildEither<First: View, Second: View>(first: First) -> _ConditionalContent<First, Second> {
        _ConditionalContent()
    }
    // identifier unknown | iOS 13.0, macOS 10.15 | nonisolated | M
    public static func buildEither<First: View, Second: View>(second: Second) -> _ConditionalContent<First, Second> {
        _ConditionalContent()
    }
}

// s:7SwiftUI9EmptyViewV | iOS 13.0, macOS 10.15 | nonisolated | M
public struct EmptyView: View, Sendable {
    // identifier unknown | iOS 13.0, macOS 10.15 | nonisolated | M
    public nonisolated init() {}
    // identifier unknown | iOS 13.0, macOS 10.15 | MainActor | M
    public var body: Never { Never.none }
}

// s:7SwiftUI7AnyViewV | iOS 13.0, macOS 10.15 | nonisolated | M
public struct AnyView: View {
    // identifier unknown | iOS 13.0, macOS 10.15 | nonisolated | M
    public nonisolated init(_ view: some View) {}
    // identifier unknown | iOS 13.0, macOS 10.15 | MainActor | M
    public var body: Never { Never.none }
}

// s:7SwiftUI12ProgressViewV | iOS 14.0, macOS 11.0 | MainActor | M
public struct ProgressView: View {
    /// Not in Apple's module.
    public let simulatedValue: Double?

    // identifier unknown | iOS 14.0, macOS 11.0 | MainActor | M
    public init(value: Double?, total: Double = 1) { simulatedValue = value.map { $0 / total } }
    // identifier unknown | iOS 14.0, macOS 11.0 | MainActor | M
    public var body: Never { Never.none }
}

extension View {
    // s:7SwiftUI4ViewPAAE7opacityyQrSdF | iOS 13.0, macOS 10.15 | nonisolated | M
    public func opacity(_ opacity: Double) -> some View { self }
}

extension Never {
    /// Not in Apple's module: nobody asks for it.
    static var none: Never { fatalError("a view of the system has no body") }
}

// s:7SwiftUI19UIViewRepresentableP | iOS 13.0, macOS none | MainActor | M
@MainActor
public protocol UIViewRepresentable: View where Body == Never {
    // identifier unknown | iOS 13.0, macOS none | nonisolated | M
    associatedtype UIViewType: UIView
    // identifier unknown | iOS 13.0, macOS none | nonisolated | M
    associatedtype Coordinator = Void
    // identifier unknown | iOS 13.0, macOS none | nonisolated | M
    typealias Context = UIViewRepresentableContext<Self>
    // identifier unknown | iOS 13.0, macOS none | MainActor | M
    func makeUIView(context: Context) -> UIViewType
    // identifier unknown | iOS 13.0, macOS none | MainActor | M
    func updateUIView(_ uiView: UIViewType, context: Context)
    // identifier unknown | iOS 13.0, macOS none | MainActor | M
    func makeCoordinator() -> Coordinator
    // identifier unknown | iOS 13.0, macOS none | MainActor | M
    static func dismantleUIView(_ uiView: UIViewType, coordinator: Coordinator)
}

extension UIViewRepresentable {
    public var body: Never { Never.none }
    public static func dismantleUIView(_ uiView: UIViewType, coordinator: Coordinator) {}
}

extension UIViewRepresentable where Coordinator == Void {
    public func makeCoordinator() {}
}

// s:7SwiftUI26UIViewRepresentableContextV | iOS 13.0, macOS none | MainActor | M
@MainActor
public struct UIViewRepresentableContext<Representable: UIViewRepresentable> {
    // identifier unknown | iOS 13.0, macOS none | MainActor | M
    public let coordinator: Representable.Coordinator

    /// Not in Apple's module, where only the system makes them.
    public init(simulating coordinator: Representable.Coordinator) { self.coordinator = coordinator }
}

// s:7SwiftUI29UIViewControllerRepresentableP | iOS 13.0, macOS none | MainActor | M
@MainActor
public protocol UIViewControllerRepresentable: View where Body == Never {
    // identifier unknown | iOS 13.0, macOS none | nonisolated | M
    associatedtype UIViewControllerType: UIViewController
    // identifier unknown | iOS 13.0, macOS none | nonisolated | M
    typealias Context = UIViewControllerRepresentableContext<Self>
    // identifier unknown | iOS 13.0, macOS none | MainActor | M
    func makeUIViewController(context: Context) -> UIViewControllerType
    // identifier unknown | iOS 13.0, macOS none | MainActor | M
    func updateUIViewController(_ uiViewController: UIViewControllerType, context: Context)
}

extension UIViewControllerRepresentable {
    public var body: Never { Never.none }
}

// s:7SwiftUI36UIViewControllerRepresentableContextV | iOS 13.0, macOS none | MainActor | M
@MainActor
public struct UIViewControllerRepresentableContext<Representable: UIViewControllerRepresentable> {}

// s:7SwiftUI19NSViewRepresentableP | iOS none, macOS 10.15 | MainActor | M
@MainActor
public protocol NSViewRepresentable: View where Body == Never {
    // identifier unknown | iOS none, macOS 10.15 | nonisolated | M
    associatedtype NSViewType: NSView
    // identifier unknown | iOS none, macOS 10.15 | nonisolated | M
    associatedtype Coordinator = Void
    // identifier unknown | iOS none, macOS 10.15 | nonisolated | M
    typealias Context = NSViewRepresentableContext<Self>
    // identifier unknown | iOS none, macOS 10.15 | MainActor | M
    func makeNSView(context: Context) -> NSViewType
    // identifier unknown | iOS none, macOS 10.15 | MainActor | M
    func updateNSView(_ nsView: NSViewType, context: Context)
    // identifier unknown | iOS none, macOS 10.15 | MainActor | M
    func makeCoordinator() -> Coordinator
    // identifier unknown | iOS none, macOS 10.15 | MainActor | M
    static func dismantleNSView(_ nsView: NSViewType, coordinator: Coordinator)
}

extension NSViewRepresentable {
    public var body: Never { Never.none }
    public static func dismantleNSView(_ nsView: NSViewType, coordinator: Coordinator) {}
}

extension NSViewRepresentable where Coordinator == Void {
    public func makeCoordinator() {}
}

// s:7SwiftUI26NSViewRepresentableContextV | iOS none, macOS 10.15 | MainActor | M
@MainActor
public struct NSViewRepresentableContext<Representable: NSViewRepresentable> {
    // identifier unknown | iOS none, macOS 10.15 | MainActor | M
    public let coordinator: Representable.Coordinator

    /// Not in Apple's module, where only the system makes them.
    public init(simulating coordinator: Representable.Coordinator) { self.coordinator = coordinator }
}

// Of the module _WebKit_SwiftUI in truth, which is there for those that import both.
// identifier unknown | iOS 26.0, macOS 26.0 | MainActor | D
@MainActor
public struct WebView: View {
    // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | D
    public init(_ page: WebPage) {}
    // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | D
    public init(url: URL?) {}
    // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | D
    public var body: Never { Never.none }
}
