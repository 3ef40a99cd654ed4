import CacheTesting
import Foundation
import Testing

@Suite("--offline-page FILE")
struct OfflinePageTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    @Test("larder proxy answers a document whose origin is not there with the file, and anything else with a text")
    func proxy() async throws {
        let page = try folder.write("offline.html", "<p>Later & elsewhere</p>")
        let proxy = try RunningProxy(["--store", folder.store, "--no-auth", "--offline-page", page])
        func answer(_ destination: String) async throws -> String {
            // Port 9 is for discarding, and nobody does.
            try await ToolProcess.curl([
                "-i", "-x", proxy.address, "-H", "Sec-Fetch-Dest: \(destination)", "http://127.0.0.1:9/",
            ]).out
        }
        let document = try await answer("document")
        #expect(document.hasPrefix("HTTP/1.1 504 ") && document.contains("\r\n\r\n<p>Later & elsewhere</p><script>"))
        #expect(document.contains("Cache-Status: Larder; fwd=uri-miss; detail=offline-page"))
        #expect(try await !answer("script").contains("Later"))
        proxy.stop()
    }

    @Test(
        "a file that is not there ends the command before anything begins",
        arguments: [["proxy"], ["open", "http://a.test/"]])
    func missing(_ command: [String]) async throws {
        let store = folder.store
        let call = command + ["--store", store, "--offline-page", folder.path + "/none.html"]
        let result = try await ToolProcess.run(ToolProcess.larder, call)
        #expect(
            result.status == 2
                && result.err.contains("none.html' can't be read (No such file or directory); name an HTML file."))
        #expect(!FileManager.default.fileExists(atPath: store))
    }
}
