// What views are made of, as far as the example uses it: nothing is drawn, and no content is asked for.

// s:7SwiftUI9TupleViewV | iOS 13.0, macOS 10.15 | MainActor | M
@MainActor
public struct TupleView<Content>: View {
    nonisolated init() {}
    // identifier unknown | iOS 13.0, macOS 10.15 | MainActor | M
    public var body: Never { Never.none }
}

// s:7SwiftUI19_ConditionalContentV | iOS 13.0, macOS 10.15 | MainActor | M
@MainActor
public struct _ConditionalContent<First: View, Second: View>: View {
    nonisolated init() {}
    // identifier unknown | iOS 13.0, macOS 10.15 | MainActor | M
    public var body: Never { Never.none }
}

extension Optional: View where Wrapped: View {
    // identifier unknown | iOS 13.0, macOS 10.15 | MainActor | M
    public var body: Never { Never.none }
}

// s:7SwiftUI4TextV | iOS 13.0, macOS 10.15 | MainActor | M
@MainActor
public struct Text: View {
    // identifier unknown | iOS 13.0, macOS 10.15 | MainActor | M
    public nonisolated init(_ content: some StringProtocol) {}
    // identifier unknown | iOS 13.0, macOS 10.15 | MainActor | M
    public var body: Never { Never.none }
}

// s:7SwiftUI6VStackV | iOS 13.0, macOS 10.15 | MainActor | M
@MainActor
public struct VStack<Content: View>: View {
    // identifier unknown | iOS 13.0, macOS 10.15 | MainActor | M
    public init(@ViewBuilder content: () -> Content) {}
    // identifier unknown | iOS 13.0, macOS 10.15 | MainActor | M
    public var body: Never { Never.none }
}

// s:7SwiftUI6HStackV | iOS 13.0, macOS 10.15 | MainActor | M
@MainActor
public struct HStack<Content: View>: View {
    // identifier unknown | iOS 13.0, macOS 10.15 | MainActor | M
    public init(@ViewBuilder content: () -> Content) {}
    // identifier unknown | iOS 13.0, macOS 10.15 | MainActor | M
    public var body: Never { Never.none }
}

// s:7SwiftUI4ListV | iOS 13.0, macOS 10.15 | MainActor | M
@MainActor
public struct List<SelectionValue: Hashable, Content: View>: View {
    // identifier unknown | iOS 13.0, macOS 10.15 | MainActor | M
    public init(@ViewBuilder content: () -> Content) where SelectionValue == Never {}
    // identifier unknown | iOS 13.0, macOS 10.15 | MainActor | M
    public var body: Never { Never.none }
}

// s:7SwiftUI7SectionV | iOS 13.0, macOS 10.15 | MainActor | M
@MainActor
public struct Section<Parent, Content, Footer>: View {
    // identifier unknown | iOS 13.0, macOS 10.15 | MainActor | M
    public init(_ title: some StringProtocol, @ViewBuilder content: () -> Content)
    where Parent == Text, Content: View, Footer == EmptyView {}
    // identifier unknown | iOS 13.0, macOS 10.15 | MainActor | M
    public var body: Never { Never.none }
}

// s:7SwiftUI7ForEachV | iOS 13.0, macOS 10.15 | MainActor | M
@MainActor
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: View {
    // identifier unknown | iOS 13.0, macOS 10.15 | MainActor | M
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
    where ID == Data.Element.ID, Data.Element: Identifiable {}
    // identifier unknown | iOS 13.0, macOS 10.15 | MainActor | M
    public init(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
    ) {}
    // identifier unknown | iOS 13.0, macOS 10.15 | MainActor | M
    public var body: Never { Never.none }
}

// s:7SwiftUI14NavigationPathV | iOS 16.0, macOS 13.0 | Sendable | M
public struct NavigationPath: Sendable {}

// s:7SwiftUI15NavigationStackV | iOS 16.0, macOS 13.0 | MainActor | M
@MainActor
public struct NavigationStack<Data, Root: View>: View {
    // identifier unknown | iOS 16.0, macOS 13.0 | MainActor | M
    public init(@ViewBuilder root: () -> Root) where Data == NavigationPath {}
    // identifier unknown | iOS 16.0, macOS 13.0 | MainActor | M
    public var body: Never { Never.none }
}

// s:7SwiftUI14NavigationLinkV | iOS 13.0, macOS 10.15 | MainActor | M
@MainActor
public struct NavigationLink<Label: View, Destination: View>: View {
    // identifier unknown | iOS 13.0, macOS 10.15 | MainActor | M
    public init(_ title: some StringProtocol, @ViewBuilder destination: () -> Destination) where Label == Text {}
    // identifier unknown | iOS 13.0, macOS 10.15 | MainActor | M
    public var body: Never { Never.none }
}

extension View {
    // identifier unknown | iOS 14.0, macOS 11.0 | nonisolated | M
    public func navigationTitle(_ title: some StringProtocol) -> some View { self }
    // identifier unknown | iOS 15.0, macOS 12.0 | nonisolated | M
    public func task(
        priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View { self }
    // identifier unknown | iOS 13.0, macOS 10.15 | nonisolated | M
    public func tag(_ tag: some Hashable) -> some View { self }
    // identifier unknown | iOS 13.0, macOS 10.15 | nonisolated | M
    public func tabItem(@ViewBuilder _ label: () -> some View) -> some View { self }
    // s:7SwiftUI4ViewPAAE5sheet4item9onDismiss7contentQrAA7BindingVyqd__SgG_yycSgqd_0_qd__cts12IdentifiableRd__AaBRd_0_r0_lF | iOS 13.0, macOS 10.15 | nonisolated | D
    public func sheet<Item: Identifiable, Content: View>(
        item: Binding<Item?>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View { self }
}

// s:7SwiftUI7TabViewV | iOS 13.0, macOS 10.15 | MainActor | M
@MainActor
public struct TabView<SelectionValue: Hashable, Content: View>: View {
    // identifier unknown | iOS 13.0, macOS 10.15 | MainActor | M
    public init(selection: Binding<SelectionValue>?, @ViewBuilder content: () -> Content) {}
    // identifier unknown | iOS 13.0, macOS 10.15 | MainActor | M
    public var body: Never { Never.none }
}
