import CacheTesting
import Foundation
import Glibc
import Testing
import WireSupport

@Suite("Without privileges")
struct PrivilegeTests {
    private static let setpriv = "/usr/bin/setpriv"
    /// Where the tests are run by an ordinary user, all the others say the same.
    private static let canDropPrivileges = geteuid() == 0 && access(setpriv, X_OK) == 0

    /// Some options of sockets are for root alone (socket(7), SO_DEBUG); what sets them must not be needed to answer.
    @Test(
        "a proxy that an ordinary user starts answers, through its own connections too", .enabled(if: canDropPrivileges)
    )
    func ordinaryUser() async throws {
        let folder = try TemporaryDirectory()
        let origin = try await ScriptedOrigin.start()
        try ToolProcess.copy(to: folder.path + "/larder")
        try #require(chmod(folder.path, 0o777) == 0)
        let proxy = try RunningProxy(
            ["--store", folder.store, "--reverse", "http://127.0.0.1:\(origin.port)"],
            by: [Self.setpriv, "--reuid=65534", "--regid=65534", "--clear-groups", folder.path + "/larder"])
        for _ in 1...2 {
            let output = try await ToolProcess.curl([proxy.address + "/fixed"])
            #expect(output.status == 0, "\(output.err)")
            #expect(output.out.hasPrefix("fixed "))
        }
        await origin.stop()
    }
}
