import CacheTesting
import ChildPrograms
import Foundation
import Glibc
import Testing
import WebVisit

/// When a visit ends, and what it says of a page that shows nothing.
@Suite("larder open, until a page is at rest", .serialized, .timeLimit(.minutes(60)))
struct OpenRestTests {
    struct Seen: Decodable {
        struct Page: Decodable {
            struct Navigation: Decodable { var loadEventStart: Double }
            var ending: VisitEnding?
            var isBlank: Bool?
            var firstContentfulPaint: Double?
            var navigation: Navigation?
            var pendingURLs: [String]
            var title: String?
        }
        var opened: Bool
        var problem: String?
        var page: Page
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        /// The document behind its title.
        var content: String
        var opens: Bool
        var ending = VisitEnding.quiet
        /// Part of why it does not open.
        var problem = ""
        var timeout = "12h"
        var testDescription: String { name }
    }

    private static let paints = "document.body.innerHTML = '<h1>Shop</h1>'"

    private static let rows = [
        Row(name: "a page", content: "<h1>Shop</h1>", opens: true),
        Row(
            name: "painted by a timer, when nothing has been under way for long",
            content: "<body><script>setTimeout(() => { \(paints) }, 1500)</script>", opens: true),
        Row(
            name: "a module that waits for a timer",
            content: "<body><script type=module>await new Promise(r => setTimeout(r, 1500)); \(paints)</script>",
            opens: true),
        Row(name: "a frame alone", content: "<iframe srcdoc='<h1>Shop</h1>'></iframe>", opens: true),
        Row(name: "plain colours, no text", content: "<hr style='border: 9px solid red'>", opens: true),
        Row(
            name: "nothing", content: "<div id=app></div>", opens: false,
            problem: "it shows nothing: nothing was painted"),
        Row(
            name: "one colour", content: "<body style='background: teal'>", opens: false,
            problem: "every pixel of the view has the same colour"),
        Row(
            name: "an app that takes its page away",
            content: "<body><h1>Shop</h1><script>setTimeout(() => document.body.replaceChildren(), 300)</script>",
            opens: false, problem: "it shows nothing any more"),
        Row(
            name: "a request that is never answered, after the load event",
            content: "<h1>Shop</h1><script>onload = () => fetch('/never')</script>", opens: true, ending: .pendingLimit),
        Row(
            name: "an image that is never answered: the load event does not come",
            content: "<h1>Shop</h1><img src=/never>",
            opens: false, ending: .timeLimit, problem: "its load event has not come; still under way: http://",
            timeout: "10"),
        Row(
            name: "a request with 40 MiB in its address",
            content: "<h1>Shop</h1><script>fetch('/?' + 'a'.repeat(40 << 20)).catch(() => 0)</script>", opens: true),
        Row(
            name: "a script without an end, when all has loaded",
            content: "<h1>Shop</h1><script>onload = () => setTimeout(() => { for (;;); }, 100)</script>", opens: false,
            ending: .timeLimit, problem: "--timeout", timeout: "10"),
    ]

    @Test(
        "it ends with the load event and a quiet network, or at a limit that is named; a page that shows nothing is not opened",
        arguments: rows)
    func rest(_ row: Row) async throws {
        let folder = try TemporaryDirectory()
        let gate = Latch()
        let origin = try await PageOrigin.start { request in
            if request.path == "/never" { await gate.pass() }
            return request.path == "/"
                ? .init(
                    fields: ["Content-Type": "text/html"], body: "<!DOCTYPE html><title>Shop</title>" + row.content)
                : .notFound
        }
        let output = try await ToolProcess.run(
            ToolProcess.larder,
            ["open", "http://127.0.0.1:\(origin.port)/", "--store", folder.store, "--timeout", row.timeout, "--json"])
        gate.open()
        await origin.stop()
        let seen = try JSONDecoder().decode(Seen.self, from: Data(output.out.utf8))
        #expect(seen.opened == row.opens && output.status == (row.opens ? 0 : 1), "\(output)")
        #expect(seen.page.ending == row.ending)
        #expect(row.opens ? seen.problem == nil : seen.problem?.contains(row.problem) == true, "\(output.out)")
        if row.opens {
            #expect(seen.page.isBlank == false)
            #expect(seen.page.navigation.map { $0.loadEventStart > 0 } == true)
        }
        if row.problem.contains("still under way") {
            #expect(seen.problem?.hasSuffix("/never, without an answer so far") == true, "\(output.out)")
        }
        if row.ending == .pendingLimit { #expect(seen.page.pendingURLs.first?.hasSuffix("/never") == true) }
    }

    @Test("355 files on a machine that is busy meanwhile: the page has painted, and its load event has come")
    func manyFiles() async throws {
        let folder = try TemporaryDirectory()
        let origin = try await PageOrigin.start { request in
            switch request.path {
            case "/":
                let modules = (0..<354).map { "import '/\($0).js'" }.joined(separator: ";")
                return .init(
                    fields: ["Content-Type": "text/html"],
                    body:
                        "<!DOCTYPE html><title>Shop</title><body><script type=module>\(modules); \(Self.paints)</script>"
                )
            case let path where path.hasSuffix(".js"):
                return .init(
                    fields: ["Content-Type": "text/javascript", "Cache-Control": "max-age=600"], body: "export {}")
            default: return .notFound
            }
        }
        let load = try (0..<6).map { _ in try ChildProcess("/bin/sh", ["-c", "while :; do :; done"]) }
        defer { for process in load { process.signal(SIGKILL) } }
        for _ in 1...2 {
            let output = try await ToolProcess.run(
                ToolProcess.larder, ["open", "http://127.0.0.1:\(origin.port)/", "--store", folder.store, "--json"])
            let seen = try JSONDecoder().decode(Seen.self, from: Data(output.out.utf8))
            #expect(seen.opened && seen.page.firstContentfulPaint != nil && seen.page.ending == .quiet, "\(output.err)")
        }
        await origin.stop()
    }

    /// RFC 8259 §7 lets every character be escaped; Unicode TR 36 §2.4 says why these are.
    @Test("what a page's title and console hold can't steer a terminal, nor hide in the JSON")
    func hostileTexts() async throws {
        let folder = try TemporaryDirectory()
        let hostile = "\u{9B}31m\u{202E}\u{2066}\u{61C}\u{2028}\u{E0041}\u{FEFF}\u{7F}"
        let origin = try await PageOrigin.start { _ in
            .page(
                "Shop\(hostile)",
                "<h1>Shop</h1><script>console.error('\(hostile.filter { $0 != "\u{2028}" })')</script>")
        }
        let output = try await ToolProcess.run(
            ToolProcess.larder, ["open", "http://127.0.0.1:\(origin.port)/", "--store", folder.store, "--json"])
        await origin.stop()
        for scalar in hostile.unicodeScalars where scalar.value > 0x7E {
            #expect(!output.out.unicodeScalars.contains(scalar), "\(String(scalar.value, radix: 16))")
        }
        let seen = try JSONDecoder().decode(Seen.self, from: Data(output.out.utf8))
        #expect(seen.page.title?.contains("\u{202E}\u{2066}") == true)
    }
}
