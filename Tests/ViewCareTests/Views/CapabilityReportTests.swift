import Testing

@testable import ViewCare

@Suite("What the page of the self-test writes")
struct CapabilityReportTests {
    @Test("lines of a kind and what was seen")
    func lines() throws {
        let report = try #require(CapabilityReport("script\tworks\nform\tempty\tor so"))
        #expect(report.results.map(\.kind) == ["script", "form"] && report.missing == ["form"])
        #expect(report.results.map(\.detail) == ["", "empty\tor so"])
    }

    @Test(
        "other texts are none",
        arguments: ["", "\n", "script", "\tworks", String(repeating: "a\tworks\n", count: 101)])
    func others(_ text: String) { #expect(CapabilityReport(text) == nil) }

    @Test("a lack of what every page needs is a fault of the mode; other gaps are none")
    func faults() throws {
        let whole = CapabilityReport.needed.map { "\($0)\tworks" }.joined(separator: "\n")
        #expect(try #require(CapabilityReport(whole + "\nworker\tan error")).fault == nil)
        for kind in CapabilityReport.needed {
            let broken = whole.replacing("\(kind)\tworks", with: "\(kind)\tan error")
            #expect(try #require(CapabilityReport(broken)).fault?.contains(kind) == true)
        }
    }

    @Test("what every page needs is among what the page of the self-test measures")
    func needed() {
        let page = CapabilityPage.resources["/"]?.content ?? ""
        for kind in CapabilityReport.needed { #expect(page.contains("'\(kind)': ")) }
    }
}
