import CacheTesting
import ChildPrograms
import Foundation
import Testing

@Suite("The log marks what nobody waited for")
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
}
