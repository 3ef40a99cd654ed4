import HTTPTypes
import Testing

@testable import WebTesting

@Suite("Downloads through the cache")
struct DownloadAnswerTests {
    private static let page = "https://page.test/"

    private func download(_ url: String, _ bench: ResponderBench) async throws -> ResponderBench.Answer {
        try await bench.result(of: bench.responder.download(url, from: Self.page))
    }

    @Test("redirects are followed within the download, to other origins too; the view stays where it is")
    func redirects() async throws {
        let bench = ResponderBench()
        bench.on("https://page.test/file", 302, [.location: "https://files.test/report"])
        bench.on("https://files.test/report", 200, [.contentDisposition: "attachment"], body: "content")
        let answer = try await download("https://page.test/file", bench)
        #expect(answer.status == 200 && answer.text == "content")
        #expect(answer.fields[.contentDisposition] == "attachment")
        #expect(bench.takeMoves().isEmpty)
    }

    @Test("the app scheme's URLs stand for https; what is stored needs no origin; cookies go along")
    func stored() async throws {
        let bench = ResponderBench()
        try await bench.setCookie("https://page.test/in", "id=1; Secure; HttpOnly")
        bench.on("https://page.test/file", 200, [.cacheControl: "max-age=60"], body: "content")
        #expect(try await download("app-cache-https://page.test/file", bench).text == "content")
        #expect(bench.sent(.cookie).last == "id=1")
        let asked = bench.asked.count
        #expect(try await download("https://page.test/file", bench).text == "content")
        #expect(bench.asked.count == asked)
    }

    @Test(
        "what is no success is no file",
        arguments: [
            ("https://page.test/404", "status 404"), ("https://page.test/500", "status 500"),
            ("https://page.test/304", "304"), ("https://page.test/loop", "circle"),
            ("https://page.test/plain", "redirected to http"), ("app-cache-https://a%41b/", "address"),
            ("ftp://page.test/", "address"),
        ])
    func refused(_ url: String, reason: String) async throws {
        let bench = ResponderBench()
        bench.on("https://page.test/404", 404, body: "<h1>Not found</h1>")
        bench.on("https://page.test/500", 500)
        bench.on("https://page.test/304", 304)
        bench.on("https://page.test/loop", 302, [.location: "/loop"])
        bench.on("https://page.test/plain", 302, [.location: "http://page.test/file"])
        bench.on("http://page.test/file", 200, body: "changed on the way")
        let answer = try await download(url, bench)
        #expect(answer.error?.message.contains(reason) == true, "\(answer)")
    }

    @Test("without a network a download that is not stored fails; the page for that is no file")
    func disconnected() async throws {
        let bench = ResponderBench { $0.context = { .init(connectivity: .disconnected) } }
        #expect(try await download("https://page.test/file", bench).error?.code == .unanswered)
    }
}
