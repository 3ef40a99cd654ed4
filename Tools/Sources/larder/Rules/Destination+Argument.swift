import ArgumentParser
import CacheRules

/// As a rules file names them.
extension Destination: ExpressibleByArgument {
    public init?(argument: String) { self.init(name: argument) }

    public static var allValueStrings: [String] { allCases.map(\.description) }

    /// None: their names say enough, in one line of the help.
    public static var allValueDescriptions: [String: String] { [:] }

    public var defaultValueDescription: String { description }
}
