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

    @Test("a mode that lacks what every page needs is not used until it is measured again; other gaps are no fault")
    func faults() throws {
        let whole = CapabilityReport.needed.map { "\($0)\tworks" }.joined(separator: "\n")
        var modes = MeasuredModes<String>()
        #expect(modes.fault(of: "proxy") == nil)
        modes.note(try #require(CapabilityReport(whole + "\nworker\tan error")), of: "proxy")
        #expect(modes.fault(of: "proxy") == nil)
        for kind in CapabilityReport.needed {
            let broken = whole.replacing("\(kind)\tworks", with: "\(kind)\tan error")
            modes.note(try #require(CapabilityReport(broken)), of: "proxy")
            #expect(modes.fault(of: "proxy")?.contains(kind) == true && modes.fault(of: "appScheme") == nil)
        }
        modes.note(try #require(CapabilityReport(whole)), of: "proxy")
        #expect(modes.fault(of: "proxy") == nil)
        modes.note(failure: "The page did not load.", of: "proxy")
        #expect(modes.fault(of: "proxy") == "The page did not load.")
    }

    @Test("what every page needs is among what the page of the self-test measures")
    func needed() {
        let page = CapabilityPage.resources["/"]?.content ?? ""
        for kind in CapabilityReport.needed { #expect(page.contains("'\(kind)': ")) }
    }
}
