import CacheTesting
import ChildPrograms
import Foundation
import Locking
import Testing
import WireSupport

/// A host that sends other bytes under a name with a content hash, as it stands in what people read.
@Suite("other bytes under a hashed name are told", .serialized, .timeLimit(.minutes(60)))
struct BrokenHashedNameTests {
    let folder: TemporaryDirectory
    private static let path = "/assets/app.5d60c2ed348e2db0.js"
    private static let sentence =
        " sent other bytes than before under the hashed name \(path); none of its names counts as hashed any more"

    init() throws {
        folder = try TemporaryDirectory()
    }

    /// Its script is another one each time, and its page asks for that past the cache.
    private static func origin() async throws -> PageOrigin {
        let counter = RequestCounter()
        return try await PageOrigin.start { request in
            switch request.path {
            case "/":
                return .page("Shop", "Shop<script>fetch(\"\(path)\", { cache: \"reload\" })</script>")
            case path:
                return PageOrigin.Answer(
                    fields: ["Content-Type": "text/javascript", "Cache-Control": "max-age=600"],
                    body: "// \(counter.next())")
            default: return .notFound
            }
        }
    }

    @Test("larder proxy --log", arguments: [false, true])
    func log(_ json: Bool) async throws {
        let origin = try await Self.origin()
        let errors = try OutputPipe()
        let proxy = try RunningProxy(
            [
                "--store", folder.store, "--reverse", "http://127.0.0.1:\(origin.port)", "--rules", "default",
                "--log",
            ] + (json ? ["--json"] : []), errors: errors)
        let address = json ? proxy.address.split(separator: "\"")[3] : Substring(proxy.address)
        for field in ["Accept: */*", "Cache-Control: no-cache"] {
            _ = try await ToolProcess.curl(["-H", field, address + Self.path])
        }
        let said = await errors.readAll { $0.count { $0 == 0x0A } == 2 }
        let lines = String(decoding: said, as: UTF8.self).split(separator: "\n")
        try #require(lines.count == 2)
        if json {
            #expect(lines[0].contains(#""breaksHashedName":false"#) && lines[1].contains(#""breaksHashedName":true"#))
        } else {
            #expect(!lines[0].contains("other bytes"))
            #expect(lines[1].hasSuffix("  127.0.0.1:\(origin.port)" + Self.sentence), "\(lines[1])")
        }
    }

    private func resolving(_ origin: PageOrigin) -> [String] {
        ["--resolve", "shop.test:80:127.0.0.1:\(origin.port)"]
    }

    @Test("larder open, in words and as JSON")
    func open() async throws {
        let origin = try await Self.origin()
        let call = ["open", "http://shop.test/", "--store", folder.store] + resolving(origin)
        let first = try await ToolProcess.run(ToolProcess.larder, call)
        #expect(first.status == 0 && !first.out.contains("hashed"), "\(first)")
        let second = try await ToolProcess.run(ToolProcess.larder, call)
        #expect(second.out.contains("\n  other bytes     shop.test" + Self.sentence), "\(second)")
        let third = try await ToolProcess.run(ToolProcess.larder, call + ["--json"])
        #expect(third.out.contains(#""breaksHashedName" : true"#), "\(third)")
    }

    @Test("larder demo, in the terminal and in its report")
    func demo() async throws {
        let origin = try await Self.origin()
        let report = folder.path + "/report.html"
        let demo = try await ToolProcess.run(
            ToolProcess.larder,
            ["demo", "--runs", "1", "--url", "http://shop.test/", "--no-control", "--report", report]
                + resolving(origin),
            environment: ["COLUMNS": "300"])
        let words = demo.out.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("shop.test" + Self.sentence + "."), "\(demo)")
        let page = try String(contentsOfFile: report, encoding: .utf8)
        #expect(page.contains("shop.test" + Self.sentence + "."))
        #expect(page.contains("other bytes than before under this hashed name"))
    }
}
