import Foundation
import Testing

/// Every kind of load that a page can make, in every mode and in a real WebKitGTK.
@Suite("the kinds of loads in each mode, in a real web view", .serialized)
struct InterceptionModeTests {
    @Test("dump")
    func dump() async throws {
        let stage = try await MatrixStage()
        let kinds = try await stage.kinds()
        var all: [String: [[String]]] = ["kinds": kinds.map { [$0.name, $0.expected] }]
        let only = ProcessInfo.processInfo.environment["MODES"]?.split(separator: ",").map(String.init)
        for mode in MatrixMode.allCases where only?.contains(mode.rawValue) ?? true {
            do {
                let pass = try await stage.measure(mode)
                all["\(mode) cold"] = kinds.map { [$0.name, pass.cold[$0.name] ?? "-"] }
                all["\(mode) warm"] = kinds.map { [$0.name, pass.warm[$0.name] ?? "-"] }
            } catch { Issue.record("\(mode): \(error)") }
        }
        try JSONEncoder().encode(all).write(to: URL(fileURLWithPath: "/tmp/matrix.json"))
        await stage.stop()
    }
}
