import Foundation

/// How many random orders of events the tests of the scheme tasks try.
enum Interleavings {
    static let count = ProcessInfo.processInfo.environment["LARDER_INTERLEAVINGS"].flatMap { Int($0) } ?? 20_000
}
