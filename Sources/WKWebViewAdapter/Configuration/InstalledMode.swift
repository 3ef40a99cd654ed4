/// How a web view's requests are answered, and why not otherwise.
public struct InstalledMode: Hashable, Sendable {
    /// The modes, by name.
    public enum Name: String, CaseIterable, Hashable, Sendable {
        case proxy, appScheme, httpsScheme, navigation
    }

    /// The mode in force.
    public var name: Name
    /// Why another mode than the wanted one is in use, in one sentence; `nil` where the wanted one is.
    public var reason: String?

    /// A mode, for tests of an app that shows it.
    public init(_ name: Name, reason: String? = nil) {
        self.name = name
        self.reason = reason
    }
}
