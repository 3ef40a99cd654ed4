// Controls, as far as the example uses them.

// s:7SwiftUI6ButtonV | iOS 13.0, macOS 10.15 | MainActor | M
@MainActor
public struct Button<Label: View>: View {
    // identifier unknown | iOS 13.0, macOS 10.15 | MainActor | M
    public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void) where Label == Text {}
    // identifier unknown | iOS 13.0, macOS 10.15 | MainActor | M
    public var body: Never { Never.none }
}

// s:7SwiftUI6ToggleV | iOS 13.0, macOS 10.15 | MainActor | M
@MainActor
public struct Toggle<Label: View>: View {
    // identifier unknown | iOS 13.0, macOS 10.15 | MainActor | M
    public init(_ title: some StringProtocol, isOn: Binding<Bool>) where Label == Text {}
    // identifier unknown | iOS 13.0, macOS 10.15 | MainActor | M
    public var body: Never { Never.none }
}

// s:7SwiftUI9TextFieldV | iOS 13.0, macOS 10.15 | MainActor | M
@MainActor
public struct TextField<Label: View>: View {
    // identifier unknown | iOS 13.0, macOS 10.15 | MainActor | M
    public init(_ title: some StringProtocol, text: Binding<String>) where Label == Text {}
    // identifier unknown | iOS 13.0, macOS 10.15 | MainActor | M
    public var body: Never { Never.none }
}

// s:7SwiftUI6PickerV | iOS 13.0, macOS 10.15 | MainActor | M
@MainActor
public struct Picker<Label: View, SelectionValue: Hashable, Content: View>: View {
    // identifier unknown | iOS 13.0, macOS 10.15 | MainActor | M
    public init(
        _ title: some StringProtocol, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content
    ) where Label == Text {}
    // identifier unknown | iOS 13.0, macOS 10.15 | MainActor | M
    public var body: Never { Never.none }
}

// s:7SwiftUI9ShareLinkV | iOS 16.0, macOS 13.0 | MainActor | M
public struct ShareLink: View {
    /// Not in Apple's module.
    public let simulatedItem: String

    // identifier unknown | iOS 16.0, macOS 13.0 | MainActor | M
    public init(item: String) { simulatedItem = item }
    // identifier unknown | iOS 16.0, macOS 13.0 | MainActor | M
    public var body: Never { Never.none }
}

// s:7SwiftUI4MenuV | iOS 14.0, macOS 11.0 | MainActor | M
@MainActor
public struct Menu<Label: View, Content: View>: View {
    // identifier unknown | iOS 14.0, macOS 11.0 | MainActor | M
    public init(_ title: some StringProtocol, @ViewBuilder content: () -> Content) where Label == Text {}
    // identifier unknown | iOS 14.0, macOS 11.0 | MainActor | M
    public var body: Never { Never.none }
}

extension View {
    // identifier unknown | iOS 13.0, macOS 10.15 | nonisolated | M
    public func disabled(_ disabled: Bool) -> some View { self }
    // identifier unknown | iOS 13.0, macOS 10.15 | nonisolated | M
    public func id(_ id: some Hashable) -> some View { self }
}
