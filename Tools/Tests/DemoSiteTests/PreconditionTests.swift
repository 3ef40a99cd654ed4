import Testing

@testable import DemoSite

@Suite("RFC 9110 §13 Conditional Requests")
struct PreconditionTests {
    struct Row: CustomStringConvertible, Sendable {
        var ifNoneMatch: String?
        var ifModifiedSince: String?
        var hasTag = true
        var isNotModified: Bool
        var section: String
        var description: String { "\(ifNoneMatch ?? "-") | \(ifModifiedSince ?? "-") | \(section)" }
    }

    private static let date = "Mon, 03 Mar 2025 09:00:00 GMT"
    private static let file = DemoFile(
        host: "shop.test", path: "/x", contentType: "text/plain", bytes: [1, 2, 3], lastModified: date,
        cacheControl: nil)
    private static let untagged = DemoFile(
        host: "shop.test", path: "/x", contentType: "text/plain", bytes: [1, 2, 3], hasEntityTag: false,
        lastModified: date, cacheControl: nil)

    @Test(
        "when 304 is the answer; TAG stands for the file's own entity tag",
        arguments: [
            Row(isNotModified: false, section: "§13.2.2 no precondition"),
            Row(ifNoneMatch: "TAG", isNotModified: true, section: "§13.1.2"),
            Row(ifNoneMatch: "W/TAG", isNotModified: true, section: "§13.1.2 weak comparison"),
            Row(ifNoneMatch: "\"a\", TAG", isNotModified: true, section: "§13.1.2 one of several"),
            Row(ifNoneMatch: "*", isNotModified: true, section: "§13.1.2 any"),
            Row(ifNoneMatch: "\"a\"", isNotModified: false, section: "§13.1.2"),
            Row(
                ifNoneMatch: "\"a\"", ifModifiedSince: date, isNotModified: false,
                section: "§13.2.2 step 3 decides alone"),
            Row(ifNoneMatch: "TAG", hasTag: false, isNotModified: false, section: "§13.1.2 no tag to match"),
            Row(ifModifiedSince: date, isNotModified: true, section: "§13.1.3 same moment"),
            Row(ifModifiedSince: "Tue, 04 Mar 2025 09:00:00 GMT", isNotModified: true, section: "§13.1.3 later"),
            Row(ifModifiedSince: "Sun, 02 Mar 2025 09:00:00 GMT", isNotModified: false, section: "§13.1.3 earlier"),
            Row(ifModifiedSince: "yesterday", isNotModified: false, section: "§13.1.3 not a date"),
        ])
    func decisions(_ row: Row) {
        let file = row.hasTag ? Self.file : Self.untagged
        let tag = Self.file.entityTag ?? ""
        let isNotModified = Precondition.isNotModified(
            ifNoneMatch: row.ifNoneMatch?.replacing("TAG", with: tag), ifModifiedSince: row.ifModifiedSince, file: file)
        #expect(isNotModified == row.isNotModified)
    }
}
