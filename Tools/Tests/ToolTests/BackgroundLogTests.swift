import CacheTesting
import ChildPrograms
import Foundation
import Testing

@Suite("The log marks what nobody waited for", .timeLimit(.minutes(5)))
struct BackgroundLogTests {
    @Test("a validation behind an answer", arguments: [false, true])
    func validation(_ json: Bool) async throws {
        let folder = try TemporaryDirectory()
        let rules = try folder.write(
            "rules.json", #"{ "rules": [ { "name": "behind", "verdict": "stale-while-revalidate" } ] }"#)
        let origin = try await PageOrigin.start { _ in .page("page", "", ["Cache-Control": "max-age=0"]) }
        let errors = try OutputPipe()
        let arguments = ["--store", folder.path + "/store", "--no-auth", "--rules", rules, "--log"]
        let proxy = try RunningProxy(arguments + (json ? ["--json"] : []), errors: errors)
        let address = proxy.address.firstMatch(of: #/http://[0-9.:]+/#).map { String($0.0) } ?? ""
        for _ in 1...2 {
            let answer = try await ToolProcess.curl(["-x", address, "http://127.0.0.1:\(origin.port)/"])
            #expect(answer.out.contains("page"))
        }
        // The second answer is followed by a line of its own and one of the validation, in either order.
        let said = await errors.readAll { $0.count { $0 == UInt8(ascii: "\n") } >= 3 }
        let log = String(decoding: said, as: UTF8.self)
        proxy.stop()
        await origin.stop()
        let lines = log.split(separator: "\n")
        try #require(lines.count == 3, "\(log)")
        let mark = json ? "\"background\":true" : "  in the background"
        let marked = lines.filter { $0.contains(mark) }
        #expect(marked.count == 1, "\(log)")
        #expect(marked.first?.contains("stored") == true, "\(log)")
        #expect(!json || lines.count { $0.contains("\"background\":false") } == 2, "\(log)")
    }

    @Test("who starts the proxy and does not read its log keeps it from nothing, and is told what is lost")
    func unread() async throws {
        let folder = try TemporaryDirectory()
        let origin = try await PageOrigin.start { _ in .page("page", "", ["Cache-Control": "max-age=60"]) }
        let errors = try OutputPipe()
        let proxy = try RunningProxy(["--store", folder.path + "/store", "--no-auth", "--log"], errors: errors)
        let address = proxy.address.firstMatch(of: #/http://[0-9.:]+/#).map { String($0.0) } ?? ""
        let long = String(repeating: "a", count: 1_000)
        let answer = try await ToolProcess.curl(["-x", address, "http://127.0.0.1:\(origin.port)/\(long)?[1-200]"])
        #expect(answer.status == 0)
        let said = await errors.readAll { String(decoding: $0, as: UTF8.self).contains("?40 ") }
        _ = try await ToolProcess.curl(["-x", address, "http://127.0.0.1:\(origin.port)/last"])
        // An exchange is noted after its answer, so that the last ones may still come: each is told or counted.
        let rest = await errors.readAll { Self.lines(said + $0) + Self.lost(said + $0) >= 201 }
        #expect(Self.lines(said + rest) + Self.lost(said + rest) == 201)
        #expect(Self.lost(said + rest) > 0)
        proxy.stop()
        await origin.stop()
    }

    private static func lines(_ log: Data) -> Int {
        String(decoding: log, as: UTF8.self).split(separator: "\n").count { $0.contains("http://127.0.0.1") }
    }

    private static func lost(_ log: Data) -> Int {
        String(decoding: log, as: UTF8.self).matches(of: #/Nobody read this for a while; ([0-9]+) notes/#)
            .compactMap { Int($0.1) }.reduce(0, +)
    }
}
