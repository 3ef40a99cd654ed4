import Testing

@testable import Interception

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
}
