import CacheTesting
import CachingProxy
import Foundation
import LarderHost
import Testing
import WireSupport

/// Who is let in with a wrong password: the programs that the proxy's own process has started. From sockets.
@Suite("Clients that a proxy knows by their process", .timeLimit(.minutes(60)))
struct OwnClientsTests {
    private func start(_ folder: TemporaryDirectory, servesWebView: Bool) async throws -> LocalProxy {
        var setup = ProxySetup(storeDirectory: folder.store, mode: .forward(intercept: .none))
        (setup.credentials, setup.servesWebView) = (.random(), servesWebView)
        return try await LocalProxy.start(setup)
    }

    private func curl(_ user: String, _ url: String, through proxy: LocalProxy) async throws -> String {
        try await ToolProcess.curl(["-i", "-x", "http://\(user)127.0.0.1:\(proxy.port)", url]).out
    }

    @Test("a program below this one is, where the proxy is for a web view, with any password and not with none")
    func children() async throws {
        let folder = try TemporaryDirectory()
        let origin = try await ScriptedOrigin.start()
        let url = "http://127.0.0.1:\(origin.port)/fixed"
        let proxy = try await start(folder, servesWebView: true)
        #expect(try await curl("u:p@", url, through: proxy).hasPrefix("HTTP/1.1 200"))
        #expect(try await curl("", url, through: proxy).hasPrefix("HTTP/1.1 407"))
        await proxy.stop()
        let other = try await start(try TemporaryDirectory(), servesWebView: false)
        #expect(try await curl("u:p@", url, through: other).hasPrefix("HTTP/1.1 407"))
        await other.stop()
        await origin.stop()
    }

    @Test("another process is not, whatever one that is known has asked for before")
    func strangers() async throws {
        let folder = try TemporaryDirectory()
        let origin = try await ScriptedOrigin.start()
        let url = "http://127.0.0.1:\(origin.port)/fixed"
        let proxy = try await start(folder, servesWebView: true)
        let request = "GET \(url) HTTP/1.1\r\nHost: a\r\nConnection: close\r\nProxy-Authorization: Basic dTpw\r\n\r\n"
        // Stored, then known by its octets where that counts.
        for _ in 1...4 {
            let sent = try await ToolProcess.run(
                "/bin/bash",
                ["-c", "exec 3<>/dev/tcp/127.0.0.1/\(proxy.port); printf '\(request)' >&3; cat <&3"])
            #expect(sent.out.hasPrefix("HTTP/1.1 200"), "\(sent)")
            // This process is none of its own children.
            let text = try await WireClient.exchange(request, port: proxy.port)
            #expect(WireResponse(text)?.status == 407, "\(text)")
        }
        // A program that has left this process's family: it waits until the one that began it is gone.
        let file = folder.path + "/out"
        let ask = "curl -s -i -o '\(file)' -x http://u:p@127.0.0.1:\(proxy.port) \(url)"
        let fled = try await ToolProcess.run(
            "/bin/bash",
            ["-c", "(while kill -0 $$; do :; done; \(ask); : > '\(file).done') > /dev/null 2>&1 &"])
        #expect(fled.status == 0)
        while !FileManager.default.fileExists(atPath: file + ".done") { await Task.yield() }
        #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("HTTP/1.1 407"))
        await proxy.stop()
        await origin.stop()
    }
}
