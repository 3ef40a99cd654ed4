import ArgumentParser
import CacheRules

/// As a rules file names them.
extension Destination: @retroactive ExpressibleByArgument {
    public init?(argument: String) {
        guard let found = Self.allCases.first(where: { $0.defaultValueDescription == argument }) else { return nil }
        self = found
    }

    public static var allValueStrings: [String] { allCases.map(\.defaultValueDescription) }

    /// None: their names say enough, in one line of the help.
    public static var allValueDescriptions: [String: String] { [:] }

    public var defaultValueDescription: String { self == .fetch ? "fetch" : rawValue }
}
