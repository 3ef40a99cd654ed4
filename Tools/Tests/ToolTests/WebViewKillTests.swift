import CacheTesting
import Foundation
import Glibc
import LarderHost
import Testing

/// What is left of a visit when `larder` goes without a word.
@Suite("a web view whose larder is gone", .serialized, .timeLimit(.minutes(10)))
struct WebViewKillTests {
    @Test("no signal leaves a process behind, not even SIGKILL", arguments: [SIGKILL, SIGTERM, SIGINT])
    func nothingLeft(_ signal: Int32) async throws {
        let folder = try TemporaryDirectory()
        let gate = Gate()
        let origin = try await PageOrigin.start { _ in
            await gate.pass()
            return .page("late")
        }
        let larder = Process()
        larder.executableURL = URL(fileURLWithPath: ToolProcess.larder)
        larder.arguments = [
            "open", "http://app.test/", "--store", folder.path + "/s", "--resolve",
            "app.test:80:127.0.0.1:\(origin.port)",
        ]
        larder.standardOutput = FileHandle.nullDevice
        larder.standardError = FileHandle.nullDevice
        try larder.runWithOpenSignals()
        // The page was asked for, so everything is there.
        await gate.arrived()
        let others = WatchedProcess.descendants(of: larder.processIdentifier)
        for name in ["Xvfb", "larder-webview"] { #expect(others.contains { $0.name == name }, "\(others.map(\.name))") }
        kill(larder.processIdentifier, signal)
        larder.waitUntilExit()
        for other in others { #expect(other.ends(within: 60), "\(other.name) is still there") }
        gate.open()
        await origin.stop()
    }
}
