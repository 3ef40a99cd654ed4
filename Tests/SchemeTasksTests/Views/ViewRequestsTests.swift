import CacheTesting
import HTTPTypes
import Testing

@testable import PageScripts
@testable import SchemeTasks
@testable import WebTesting

/// What an adapter hands over, and what its task gets.
@Suite("The requests of one web view", .timeLimit(.minutes(5)))
@MainActor
struct ViewRequestsTests {
    private let bench = ResponderBench()
    private let hook = UploadScript(token: "t0k3n", schemes: ["https"])
    private let requests: ViewRequests

    init() { requests = ViewRequests(bench.responder, hook: hook) }

    private func ask(
        _ method: String = "GET", _ url: String = "https://page.test/a", _ fields: HTTPFields = [:],
        content: [UInt8]? = []
    ) async -> SchemeTaskRecorder {
        let task = SchemeTaskRecorder()
        requests.start(
            SchemeTaskID(task), task,
            WebViewRequest(
                method: method, url: url, fields: fields, topLevelURL: "https://page.test/",
                content: { limit in content.flatMap { $0.count <= limit ? $0 : nil } }))
        while !task.isOver { await Task.yield() }
        return task
    }

    @Test("an announced document is asked for as a navigation, once; a script's request for it is none")
    func navigations() async {
        bench.on("https://page.test/a", 200, [.cacheControl: "no-store"], body: "page")
        var documents: [String] = []
        requests.documentWithoutForm = { documents.append($0) }
        requests.navigations.add("https://page.test/a#top", isTopLevel: true)
        #expect(await ask(fields(("Origin", "https://page.test"))).isOver && documents.isEmpty)
        let page = await ask()
        #expect(page.bytes == Array("page".utf8) && documents == ["https://page.test/a"])
        _ = await ask()
        #expect(documents.count == 1)
    }

    private func ask(_ fields: HTTPFields) async -> SchemeTaskRecorder {
        await ask("GET", "https://page.test/a", fields)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var method = "POST"
        var fields: HTTPFields
        var isNavigation = false
        var content: [UInt8]? = [0x78]
        /// What the origin gets; `nil` where it is not asked.
        var sent: String?
        var testDescription: String { name }
    }

    nonisolated static let rows = [
        Row(name: "what the script has marked", fields: [.accept: "*/*, larder/t0k3n"], sent: "x"),
        Row(name: "what it has not, with a type", fields: [.contentType: "text/plain"]),
        Row(name: "the same without a type", fields: [:]),
        Row(name: "a mark with another token", fields: [.accept: "*/*, larder/other"]),
        Row(
            name: "a plain form", fields: [.contentType: "application/x-www-form-urlencoded"], isNavigation: true,
            sent: "x"),
        Row(
            name: "a form that may hold a file", fields: [.contentType: "multipart/form-data; boundary=b"],
            isNavigation: true),
        Row(name: "content that breaks off", fields: [.accept: "larder/t0k3n"], content: nil),
        Row(name: "a fault of the script", fields: [.accept: "larder/t0k3n;fault=fetch"]),
        // RFC 9110 §8.6: such a method says that its content is empty.
        Row(name: "no content", fields: [.accept: "larder/t0k3n"], content: [], sent: ""),
    ]

    @Test("content goes on where it is known to be whole, and nothing is sent where it is not", arguments: rows)
    func content(_ row: Row) async throws {
        bench.on("https://page.test/a", 200, body: "done")
        if row.isNavigation { requests.navigations.add("https://page.test/a", isTopLevel: true) }
        let task = await ask(row.method, "https://page.test/a", row.fields, content: row.content)
        if let sent = row.sent {
            #expect(task.calls.last == .finish)
            #expect(try await bench.lastContent() == sent)
            #expect(bench.sent(.accept).last?.contains("larder") == false)
        } else {
            #expect(task.calls == [.fail(.refused)] && bench.asked.isEmpty)
        }
    }

    @Test(
        "a form that replaces its own page is sent once its content is there, and again when its answer is loaded again"
    )
    func heldForm() async throws {
        let url = "https://page.test/a", name = "abcdefgh01234567"
        bench.on(url, 200, body: "done")
        let begun = SchemeTaskRecorder()
        let begin = WebViewRequest(
            method: "POST", url: url, fields: [.accept: "larder/t0k3n;begin=\(name);length=3;form=held"],
            topLevelURL: "https://page.test/", content: { _ in [] })
        requests.start(SchemeTaskID(begun), begun, begin)
        #expect(requests.holdsForm(at: url) && !requests.holdsForm(at: url + "b"))
        _ = await ask("POST", url, [.accept: "larder/t0k3n;piece=0;upload=\(name)"], content: Array("f=1".utf8))
        await requests.waitForForms(at: url)
        for round in 1...2 {
            requests.navigations.add(url, isTopLevel: true)
            // The second time nothing of the web view's own content is read.
            let native = round == 1 ? Array("name=\"\(name)\"".utf8) : nil
            let type = "multipart/form-data; boundary=drawn"
            #expect(await ask("POST", url, [.contentType: type], content: native).calls.last == .finish)
            #expect(try await bench.lastContent() == "f=1" && bench.asked.count == round)
        }
        while !begun.isOver { await Task.yield() }
        #expect(requests.counts.touched == [.form: 1])
    }

    @Test("what the script did is counted")
    func counts() async {
        bench.on("https://page.test/a", 200, body: "done")
        _ = await ask("POST", "https://page.test/a", [.accept: "larder/t0k3n;by=fetch"], content: [1])
        _ = await ask("GET", "https://page.test/a", [.accept: "larder/t0k3n;by=xhr"])
        #expect(requests.counts.touched == [.fetch: 1, .xhr: 1])
    }

    @Test("what got past the script is counted, and no server is asked")
    func addresses() async {
        let report = { (text: String) in
            await ask("POST", "app-cache-https://page.test/", [.accept: "larder/t0k3n;addresses=\(text)"], content: nil)
        }
        for text in ["2.1.0.0", "1.0.8.1"] { #expect(await report(text).calls.last == .finish) }
        #expect(requests.counts.addresses == AddressCounts(report: "3.1.8.1") && bench.asked.isEmpty)
    }

    @Test(
        "a report adds a thousand at most, and what is none adds nothing",
        arguments: [
            ("1.2.3.1", AddressCounts(report: "1.2.3.1")),
            ("65535.65535.65535.2", AddressCounts(report: "1000.1000.1000.1")),
            ("65536.0.0.0", nil), ("-1.0.0.0", nil), ("1.2.3", nil), ("1.2.3.4.5", nil), ("1..3.4", nil), ("", nil),
            ("٣.0.0.0", nil),
        ])
    func reports(_ text: String, _ expected: AddressCounts?) {
        #expect(AddressCounts(report: text[...]) == expected)
    }
}
