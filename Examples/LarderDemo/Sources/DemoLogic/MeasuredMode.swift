import Foundation
import LarderKit

/// What a tester sends back: what a mode carries on this system.
public struct MeasuredMode: Codable, Hashable, Sendable {
    public var mode: String
    /// As `ProcessInfo` says it.
    public var system: String
    public var report: CapabilityReport

    public init(mode: String, system: String, report: CapabilityReport) {
        self.mode = mode
        self.system = system
        self.report = report
    }

    /// Such as "appScheme: 23 of 24 kinds".
    public var summary: String {
        "\(mode): \(report.results.count - report.missing.count) of \(report.results.count) kinds"
    }

    /// JSON with sorted keys; empty if it can't be written.
    public var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
