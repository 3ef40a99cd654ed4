import CacheTesting
import ChildPrograms
import Foundation
import Glibc
import Testing

/// What is left of a visit when `larder` goes without a word.
@Suite("a web view whose larder is gone", .serialized, .timeLimit(.minutes(60)))
struct WebViewKillTests {
    /// Several rounds each: the display must not end before the web view that paints on it. Without a signal the visit
    /// goes on to its end.
    @Test(
        "no process stays behind, nor a file of the web view, whatever ends larder, SIGKILL included",
        arguments: [SIGKILL, SIGTERM, SIGINT, nil], 1...5)
    func nothingLeft(_ signal: Int32?, _ round: Int) async throws {
        let folder = try TemporaryDirectory()
        let gate = Latch()
        let origin = try await PageOrigin.start { _ in
            await gate.pass()
            return .page("late")
        }
        let files = folder.path + "/files"
        try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
        let larder = try ChildProcess(
            ToolProcess.larder,
            [
                "open", "http://app.test/", "--store", folder.path + "/s", "--resolve",
                "app.test:80:127.0.0.1:\(origin.port)",
            ], environment: ProcessInfo.processInfo.environment.merging(["TMPDIR": files]) { $1 })
        // The page was asked for, so everything is there.
        await gate.arrived()
        let others = WatchedProcess.descendants(of: larder.identifier)
        for name in ["Xvfb", "larder-webview"] { #expect(others.contains { $0.name == name }, "\(others.map(\.name))") }
        if let signal { larder.signal(signal) } else { gate.open() }
        await larder.ended()
        for other in others { #expect(other.ends(within: 1_200), "\(other.name) is still there") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: files).filter { $0.hasPrefix("larder-") } == [])
        gate.open()
        await origin.stop()
    }
}
