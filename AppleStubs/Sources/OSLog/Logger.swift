// Stand-ins for OSLog, as far as we use it. The messages go nowhere but into what a test reads.

// s:2os6LoggerV | iOS 14.0, macOS 11.0 | Sendable | M
public struct Logger: Sendable {
    // identifier unknown | iOS 14.0, macOS 11.0 | Sendable | M
    public init(subsystem: String, category: String) {}
    // identifier unknown | iOS 14.0, macOS 11.0 | Sendable | M
    public func debug(_ message: OSLogMessage) {}
    // identifier unknown | iOS 14.0, macOS 11.0 | Sendable | M
    public func info(_ message: OSLogMessage) {}
    // identifier unknown | iOS 14.0, macOS 11.0 | Sendable | M
    public func notice(_ message: OSLogMessage) {}
    // identifier unknown | iOS 14.0, macOS 11.0 | Sendable | M
    public func error(_ message: OSLogMessage) {}
    // identifier unknown | iOS 14.0, macOS 11.0 | Sendable | M
    public func fault(_ message: OSLogMessage) {}
}

// On Apple's systems a message is no String: it has to be written where it is logged, and interpolations that are not
// marked public are hidden.
// s:2os12OSLogMessageV | iOS 14.0, macOS 11.0 | nonisolated | M
public struct OSLogMessage: ExpressibleByStringInterpolation {
    // s:2os18OSLogInterpolationV | iOS 14.0, macOS 11.0 | nonisolated | M
    public struct StringInterpolation: StringInterpolationProtocol {
        // identifier unknown | iOS 14.0, macOS 11.0 | nonisolated | M
        public init(literalCapacity: Int, interpolationCount: Int) {}
        // identifier unknown | iOS 14.0, macOS 11.0 | nonisolated | M
        public mutating func appendLiteral(_ literal: String) {}
        // identifier unknown | iOS 14.0, macOS 11.0 | nonisolated | M
        public mutating func appendInterpolation(_ value: @autoclosure () -> String, privacy: OSLogPrivacy = .auto) {}
        // identifier unknown | iOS 14.0, macOS 11.0 | nonisolated | M
        public mutating func appendInterpolation(_ value: @autoclosure () -> Int, privacy: OSLogPrivacy = .auto) {}
    }

    // identifier unknown | iOS 14.0, macOS 11.0 | nonisolated | M
    public init(stringLiteral value: String) {}
    // identifier unknown | iOS 14.0, macOS 11.0 | nonisolated | M
    public init(stringInterpolation: StringInterpolation) {}
}

// s:2os12OSLogPrivacyV | iOS 14.0, macOS 11.0 | Sendable | M
public struct OSLogPrivacy: Sendable {
    // identifier unknown | iOS 14.0, macOS 11.0 | Sendable | M
    public static var auto: OSLogPrivacy { OSLogPrivacy() }
    // identifier unknown | iOS 14.0, macOS 11.0 | Sendable | M
    public static var `public`: OSLogPrivacy { OSLogPrivacy() }
    // identifier unknown | iOS 14.0, macOS 11.0 | Sendable | M
    public static var `private`: OSLogPrivacy { OSLogPrivacy() }
}
