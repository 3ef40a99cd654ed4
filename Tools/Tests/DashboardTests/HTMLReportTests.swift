import Foundation
import Testing

@testable import Dashboard

@Suite("The report as HTML")
struct HTMLReportTests {
    @Test("is well formed and made of known elements and attributes only", arguments: SampleReport.allCases)
    func isWellFormed(_ sample: SampleReport) {
        let markup = Markup(HTMLReport(sample.report).render())
        #expect(markup.faults.isEmpty)
        #expect(Set(markup.tags.map(\.name)).subtracting(Self.elements).isEmpty)
        for tag in markup.tags {
            #expect(Set(tag.attributes.keys).subtracting(Self.attributes).isEmpty)
            #expect(
                (tag.attributes["style"] ?? "").allSatisfy {
                    $0.isASCII && ($0.isLetter || $0.isNumber || "-:.;%".contains($0))
                })
        }
    }

    @Test("loads nothing but data: pictures", arguments: SampleReport.allCases)
    func loadsNothing(_ sample: SampleReport) {
        let page = HTMLReport(sample.report).render()
        for tag in Markup(page).tags {
            #expect(tag.attributes["href"] == nil)
            if let source = tag.attributes["src"] {
                #expect(tag.name == "img")
                #expect(source.hasPrefix("data:image/png;base64,"))
            }
        }
        #expect(!HTMLStyles.text.contains("url("))
        #expect(!HTMLStyles.text.contains("@import"))
        #expect(!HTMLStyles.text.contains("<"))
    }

    @Test("forbids scripts and every other load, before anything else could")
    func policy() {
        let tags = Markup(HTMLReport(SampleReport.usual.report).render()).tags
        let policy = tags.first { $0.attributes["http-equiv"] == "Content-Security-Policy" }
        #expect(
            policy?.attributes["content"]?.hasPrefix("default-src 'none'; img-src data:; style-src 'unsafe-inline'")
                == true)
        #expect(tags.prefix(4).map(\.name) == ["html", "head", "meta", "meta"])
    }

    @Test("shows hostile text as text")
    func escapes() {
        let page = HTMLReport(SampleReport.hostileEverywhere.report).render()
        #expect(!page.contains("<script"))
        #expect(!page.contains("<img"))
        #expect(!page.unicodeScalars.contains { $0.isDeceptive && $0 != "\n" })
        #expect(page.contains("<title>&quot;&#39;&gt;&lt;script&gt;"))
    }

    @Test("of the same report is the same", arguments: SampleReport.allCases)
    func isDeterministic(_ sample: SampleReport) {
        var shuffled = sample.report
        for index in shuffled.visits.indices {
            let outcomes = shuffled.visits[index].outcomes
            shuffled.visits[index].outcomes = Dictionary(uniqueKeysWithValues: outcomes.sorted { $0.key > $1.key })
        }
        #expect(HTMLReport(sample.report).render() == HTMLReport(shuffled).render())
    }

    @Test("says in words what is missing")
    func missingValues() {
        let text = Markup(HTMLReport(SampleReport.usual.report).render()).text
        #expect(text.contains("nothing painted"))
        #expect(text.contains("no load event"))
        #expect(text.contains("without: no page"))
        #expect(text.contains("Does not hold: "))
        var report = SampleReport.usual.report
        for index in report.visits.indices where !report.visits[index].usesLarder { report.visits[index].failures = 3 }
        #expect(Markup(HTMLReport(report).render()).text.contains(", 3 missing"))
    }

    @Test("leaves out what there is nothing to say about")
    func emptyReport() {
        let text = Markup(HTMLReport(SampleReport.empty.report).render()).text
        for heading in ["Checks", "Visits", "Screenshots", "Files", "Load event"] {
            #expect(!text.contains(heading))
        }
    }

    @Test("marks what nobody waited for")
    func background() {
        var report = SampleReport.usual.report
        #expect(!Markup(HTMLReport(report).render()).text.contains("in the background"))
        report.visits[0].rows[0].isBackground = true
        #expect(Markup(HTMLReport(report).render()).text.contains("in the background: nobody waited for it"))
    }

    @Test("has a line for each file and a column for each visit, in words")
    func matrix() {
        let page = Markup(HTMLReport(SampleReport.usual.report).render())
        let heads = page.tags.filter { $0.attributes["class"] == "visit" }
        #expect(heads.count == 3)
        let files = page.tags.filter { $0.attributes["class"] == "what" }
        #expect(files.count == 3)
        for words in ["fetched, stored", "fetched, not stored", "stored, stale", "stored, confirmed"] {
            #expect(page.text.contains(words))
        }
        #expect(!page.text.contains("fwd="))
    }

    @Test("names what is not stored, once, with the field and the cure")
    func notStored() {
        var report = SampleReport.usual.report
        report.visits[0].rows[2].notStored = "'Cache-Control: no-store' forbids storing it."
        report.visits[2].rows[0].notStored = "'Cache-Control: no-store' forbids storing it."
        let text = Markup(HTMLReport(report).render()).text
        #expect(text.contains("Not stored, and why") && text.contains("https://cdn.test/api"))
        #expect(text.components(separatedBy: "forbids storing it").count == 3)
    }

    @Test("leads with what came from the server, offline first")
    func headline() throws {
        let text = Markup(HTMLReport(SampleReport.usual.report).render()).text
        let places = try ["From the server", "offline", "warm", "412 B", "cold", "1.2 MB"].map {
            try #require(text.range(of: $0)?.lowerBound, "\($0)")
        }
        #expect(places == places.sorted())
    }

    @Test("cuts a tooltip where a data: URL has no end")
    func tooltips() {
        #expect(HTMLReport(SampleReport.damaged.report).render().utf8.count < 600_000)
    }

    private static let elements: Set = [
        "html", "head", "meta", "title", "style", "body", "main", "header", "section", "h1", "h2", "h3", "h4", "p",
        "ul",
        "ol", "li", "span", "strong", "small", "b", "i", "em", "div", "code", "figure", "figcaption", "img", "table",
        "thead", "tbody", "tr", "th", "td",
    ]
    private static let attributes: Set = [
        "lang", "charset", "http-equiv", "content", "name", "class", "id", "aria-labelledby", "aria-label",
        "aria-hidden",
        "role", "scope", "rowspan", "colspan", "data-name", "style", "title", "open", "src", "alt", "width", "height",
    ]
}
