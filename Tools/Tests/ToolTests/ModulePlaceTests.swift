import CacheTesting
import Foundation
import Testing
import WireSupport

/// WebKit names no file for a module that imports what another one does not export.
@Suite("the console's place of a module that cannot be linked", .serialized, .timeLimit(.minutes(60)))
struct ModulePlaceTests {
    /// Modules that import, beside those from which they do.
    private static let files: [(path: String, text: String)] = [
        ("/reexport.js", "\n\nimport { far } from './passes.js'"),
        ("/passes.js", "export * from './empty.js'"), ("/empty.js", "export {}"),
        ("/minified.js", "import{a as b,Q as c}from\"./vendor.js\";b(c)"),
        ("/vendor.js", "const Q=1;export{Q as a};"),
        ("/default.js", "\nimport shop from './named.js'"),
        ("/named.js", "export function shop() {}; export let one = 1, two = 2"),
        ("/two.js", "import { one, two, three } from './named.js'"),
        ("/local.js", "\nimport { hidden } from './declares.js'"),
        ("/declares.js", "export const { shown } = { shown: 1 }"),
    ]

    @Test("the import of a name that the other module surely lacks is the place")
    func places() async throws {
        let folder = try TemporaryDirectory()
        let scripts = ["reexport", "minified", "default", "local", "two"].map {
            "<script type=module src=/\($0).js></script>"
        }
        let origin = try await PageOrigin.start { request in
            if request.path == "/" { return .page("Shop", "Shop" + scripts.joined()) }
            guard let file = Self.files.first(where: { $0.path == request.path }) else { return .notFound }
            return .init(fields: ["Content-Type": "text/javascript"], body: file.text)
        }
        let opened = try await ToolProcess.run(
            ToolProcess.larder, ["open", "http://127.0.0.1:\(origin.port)/", "--store", folder.store],
            environment: ["COLUMNS": "300"])
        await origin.stop()
        let errors = opened.out.split(separator: "\n").filter { $0.hasPrefix("  console error") }.map {
            $0.dropFirst(18)
        }
        let error = "SyntaxError: Importing binding name"
        #expect(
            errors.sorted() == [
                "/default.js:2: \(error) 'default' cannot be resolved by star export entries. ./named.js does not export it: are the two of one release?",
                "/minified.js:1: \(error) 'Q' is not found. ./vendor.js does not export it: are the two of one release?",
                "/two.js:1: \(error) 'three' is not found. ./named.js does not export it: are the two of one release?",
                // Exports by a pattern, and those of another module, are not read.
                "\(error) 'far' is not found.", "\(error) 'hidden' is not found.",
            ], "\(opened)")
    }
}
