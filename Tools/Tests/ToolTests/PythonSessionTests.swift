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
        #expect(request.mode == mode)
        #expect(request.view.width == 800)
        let isHandled = mode == .appScheme || mode == .httpsScheme
        #expect(request.cache?.originAuthorities == (isHandled ? "/authorities.pem" : nil))
    }

    @Test("what a script leaves out has its default, as what is new was not there when the script was written")
    func defaults() throws {
        let text = #"{"view": {"url": "about:blank"}, "mode": "appScheme", "cache": {"storeDirectory": "/store"}}"#
        let request = try JSONDecoder().decode(SessionRequest.self, from: Data(text.utf8))
        #expect(
            request
                == SessionRequest(
                    view: VisitRequest(url: "about:blank"), mode: .appScheme,
                    cache: SessionCacheRequest(storeDirectory: "/store")))
    }
}
