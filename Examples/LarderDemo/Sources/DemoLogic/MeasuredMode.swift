import Foundation
import LarderKit

/// What a tester sends back: what a mode carries on this system, or why it could not be measured.
public struct MeasuredMode: Codable, Hashable, Identifiable, Sendable {
    public var mode: String
    /// As `ProcessInfo` says it.
    public var system: String
    public var report: CapabilityReport?
    /// Why there is no report.
    public var problem: String?

    public var id: String { mode }

    public init(mode: String, system: String, report: CapabilityReport? = nil, problem: String? = nil) {
        self.mode = mode
        self.system = system
        self.report = report
        self.problem = problem
    }

    /// Such as "appScheme: 23 of 24 kinds".
    public var summary: String {
        guard let report else { return "\(mode): not measured. \(problem ?? "")" }
        return "\(mode): \(report.results.count - report.missing.count) of \(report.results.count) kinds"
    }

    /// Several in JSON with sorted keys; empty if it can't be written.
    public static func json(_ modes: [MeasuredMode]) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return (try? encoder.encode(modes)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
