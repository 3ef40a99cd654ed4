import CacheEngine
import CacheTesting
import HTTPTypes
import Testing

@testable import Fetching
@testable import WebTesting

@Suite("WHATWG MIME Sniffing §7.1: documents whose servers name no type", .timeLimit(.minutes(10)))
struct DocumentTypeTests {
    @Test(
        "the first bytes decide",
        arguments: [
            ("<!doctype html><p>", "text/html"), (" \n\t<HtMl>", "text/html"), ("<!-- a -->", "text/html"),
            ("<p>", "text/html"), ("<pre>", "text/plain"), ("<b class=x>", "text/html"),
            ("<!DOCTYPE HTMLX>", "text/plain"),
            ("<?xml version='1.0'?>", "text/xml"), ("%PDF-1.7", "application/pdf"), ("plain words", "text/plain"),
            ("\u{FEFF}<p>", "text/plain"), ("GIF89a..", "image/gif"), ("RIFF1234WEBPVP8 ", "image/webp"),
            ("a\u{1}b", "application/octet-stream"), ("a\u{1B}b", "text/plain"), ("", "text/plain"),
        ])
    func sniffed(_ text: String, _ type: String) {
        #expect(DocumentType.sniffed(text.utf8, mayBeScriptable: true) == type)
    }

    @Test("with nosniff nothing becomes a type that runs scripts")
    func noSniff() {
        #expect(DocumentType.sniffed("<!doctype html>".utf8, mayBeScriptable: false) == "text/plain")
        #expect(DocumentType.sniffed("<?xml".utf8, mayBeScriptable: false) == "text/plain")
    }

    @Test("bytes behind the header do not count, whatever they are, and random ones have some type")
    func limits() {
        let far = [UInt8](repeating: 0x61, count: DocumentType.headerLength) + [0]
        #expect(DocumentType.sniffed(far, mayBeScriptable: true) == "text/plain")
        var dice = SplitMix64(seed: 17)
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &dice)).map { _ in UInt8.random(in: 0...255, using: &dice) }
            #expect(!DocumentType.sniffed(bytes, mayBeScriptable: true).isEmpty)
        }
    }

    @Test("a document gets its type and all of its bytes, from the origin and from the store; a resource gets none")
    func answers() async throws {
        let bench = ResponderBench()
        let text = "<!doctype html>" + String(repeating: "a", count: 5_000)
        bench.on("https://page.test/", 200, [.cacheControl: "max-age=600"], body: text)
        for _ in 0..<3 {
            let answer = try await bench.load("https://page.test/", mode: "navigate", dest: "document")
            #expect(answer.fields[.contentType] == "text/html")
            #expect(answer.text == text)
        }
        #expect(bench.asked.count == 1)
        let resource = try await bench.load("https://page.test/", mode: "no-cors", dest: "image")
        #expect(resource.fields[.contentType] == nil && resource.text == text)
    }

    @Test(
        "Fetch §2.2.2, MIME Sniffing §7: a type that names none is none, and of several the last one counts",
        arguments: [
            (["html"], "text/html"), ([""], "text/html"), (["*/*"], "text/html"), (["unknown/unknown"], "text/html"),
            (["Application/Unknown"], "text/html"), (["; charset=utf-8"], "text/html"),
            (["text/plain", "text/html; charset=utf-8"], "text/html; charset=utf-8"),
            (["text/html; charset=GBK, */*"], "text/html; charset=GBK"), (["text/plain"], "text/plain"),
            (["text/html charset=utf-8"], "text/html charset=utf-8"),
        ])
    func odd(_ types: [String], _ expected: String) async throws {
        let bench = ResponderBench()
        var fields: HTTPFields = [.cacheControl: "no-cache"]
        fields[values: .contentType] = types
        bench.on("https://page.test/", 200, fields, body: "<!doctype html><p>")
        let answer = try await bench.load("https://page.test/", mode: "navigate", dest: "document")
        #expect(answer.fields[values: .contentType] == [expected])
    }

    @Test("a document that breaks off among its first bytes is not taken for whole")
    func brokenOff() async throws {
        let source = ScriptedBody()
        let body = ResumedBody([0x3C], source, failure: EngineError(code: .originBroken, message: "Gone."))
        #expect(try await body.next() == [0x3C])
        await #expect(throws: EngineError.self) { _ = try await body.next() }
    }
}
