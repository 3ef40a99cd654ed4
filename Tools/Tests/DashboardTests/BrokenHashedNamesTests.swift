import Testing

@testable import Dashboard

@Suite("Other bytes under a hashed name, in words")
struct BrokenHashedNamesTests {
    @Test(
        "one sentence for each host, which names the first name and counts the others",
        arguments: [
            ([], []), (["https://a.test/x.js"], ["a.test /x.js"]),
            (["https://a.test/x.js", "https://a.test/x.js"], ["a.test /x.js"]),
            (
                ["https://b.test:8443/y.js?z", "https://a.test/x.js", "https://b.test:8443/w.js"],
                ["b.test:8443 /y.js?z (and under 1 more)", "a.test /x.js"]
            ),
            (["no URL"], ["a host no URL"]),
        ])
    func sentences(_ urls: [String], _ expected: [String]) {
        let sentences = expected.map { text in
            let parts = text.split(separator: " /", maxSplits: 1).map(String.init)
            let (host, name) = parts.count == 2 ? (parts[0], "/" + parts[1]) : ("a host", "no URL")
            return "\(host) sent other bytes than before under the hashed name \(name); "
                + "none of its names counts as hashed any more"
        }
        #expect(BrokenHashedNames(urls).sentences == sentences)
    }

    @Test("the report says it where the visit's figures are, and in the row of the exchange; otherwise nowhere")
    func shown() {
        var report = SampleReport.usual.report
        let sentence = BrokenHashedNames(["https://shop.test/a.js"]).sentences[0] + "."
        func texts() -> [String] {
            let terminal = TerminalTable(report, colours: false, width: 200).render()
            return [
                Markup(HTMLReport(report).render()).text,
                terminal.split(whereSeparator: \.isWhitespace).joined(separator: " "),
            ]
        }
        for text in texts() { #expect(!text.contains("hashed name")) }
        report.visits[2].rows[0].breaksHashedName = true
        for text in texts() { #expect(text.contains(sentence)) }
        #expect(texts()[0].contains("other bytes than before under this hashed name"))
    }
}
