import CacheEngine
import Foundation
import Testing

@testable import Dashboard

@Suite("An explanation in a terminal")
struct ExplanationTextTests {
    @Test("no line is wider than the terminal", arguments: [40, 80, 110])
    func width(_ width: Int) throws {
        let summary =
            "validated: the origin is asked with If-None-Match: W/1 and If-Modified-Since: Wed, 21 Oct 2015 07:28:00 GMT; "
            + "a 304 lets the stored response be used"
        let uri = "https://shop.test/" + String(repeating: "a/", count: 100)
        let json = """
            { "method": "GET", "uri": "\(uri)", "answer": "validated", "summary": "\(summary)", "conditions": [],
              "steps": [{ "title": "Answer", "section": "", "finding": "\(summary)" }], "changes": ["\(summary)"],
              "warnings": ["\(summary)"],
              "cacheStatus": "Larder; fwd=stale" }
            """
        let explanation = try JSONDecoder().decode(Explanation.self, from: Data(json.utf8))
        let text = ExplanationText(explanation, policy: "the default rules", colours: false, width: width).render()
        let lines = text.split(separator: "\n").map(String.init)
        for line in lines { #expect(TerminalText.width(line) <= width, "\(line)") }
        #expect(lines[0] == " By the default rules" && lines[1].hasPrefix(" GET https://shop.test/"))
    }
}
