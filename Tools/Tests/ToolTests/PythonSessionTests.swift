import Foundation
import Testing
import WebVisit

/// The measuring scripts (`make transparency`, `make bench`) drive the web view from Python.
@Suite("Sessions of scripts/web_view_session.py")
struct PythonSessionTests {
    @Test("are understood by the web view's process", arguments: InterceptionMode.allCases)
    func areUnderstood(mode: InterceptionMode) async throws {
        let scripts = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../scripts").standardizedFileURL.path
        let script = """
            import json, sys
            sys.path.insert(0, sys.argv[1])
            from web_view_session import Session
            view = {"width": 800, "quietMilliseconds": 20, "pendingLimitMilliseconds": 50, "timeoutSeconds": 30}
            print(json.dumps(Session.request(sys.argv[2], view, "/store", "/authorities.pem")))
            """
        let said = try await ToolProcess.run("/usr/bin/python3", ["-B", "-c", script, scripts, mode.rawValue])
        #expect(said.status == 0, "\(said)")
        let request = try JSONDecoder().decode(SessionRequest.self, from: Data(said.out.utf8))
        let isHandled = mode == .appScheme || mode == .httpsScheme
        let view = VisitRequest(
            url: "about:blank", width: 800, timeoutSeconds: 30, quietMilliseconds: 20, pendingLimitMilliseconds: 50)
        let cache = SessionCacheRequest(storeDirectory: "/store", originAuthorities: "/authorities.pem")
        // What the script does not set has the tool's defaults.
        #expect(request == SessionRequest(view: view, mode: mode, cache: isHandled ? cache : nil))
    }
}
