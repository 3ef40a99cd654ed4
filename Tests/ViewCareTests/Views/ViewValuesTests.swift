import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import Fetching
@testable import SchemeTasks
@testable import ViewCare

@Suite("Small pieces that adapters of web views share")
struct ViewValuesTests {
    @Test(
        "which pages are loaded at the app-cache scheme",
        arguments: [
            ("https://shop.test/a?b#c", "app-cache-https://shop.test/a?b#c"),
            ("HTTPS://SHOP.test", "app-cache-https://shop.test/"),
            ("https://shop.test:8443/", "app-cache-https://shop.test:8443/"),
            ("https://shop.test:443/a", "app-cache-https://shop.test/a"),
            ("http://shop.test/", nil), ("https://other.test/", nil), ("https://shop.test:1/", nil),
            ("https://shop.test@other.test/", nil), ("tel:1", nil), ("shop.test", nil), ("", nil),
        ] as [(String, String?)])
    func appScheme(_ row: (url: String, page: String?)) {
        let pages = AppSchemePages(hosts: ["Shop.TEST", "shop.test:8443"])
        #expect(pages.pageURL(of: row.url) == row.page)
    }

    @Test(
        "Accept-Language, RFC 9110 §12.5.4",
        arguments: [
            ([], "*"), (["de-CH"], "de-CH"), (["de-CH", "de", "en"], "de-CH,de;q=0.9,en;q=0.8"),
            (["a\r\nb", "en"], "en"),
            (["1", "2", "3", "4", "5", "6", "7"], "1,2;q=0.9,3;q=0.8,4;q=0.7,5;q=0.6,6;q=0.5"),
        ] as [([String], String)])
    func languages(_ row: (languages: [String], field: String)) {
        #expect(AcceptLanguage.field(row.languages) == row.field)
    }

    @Test("progress is between 0 and 1, and pages have the URL that people know")
    func progress() {
        #expect(LoadProgress(fraction: .nan).fraction == 0 && LoadProgress(fraction: 7).fraction == 1)
        #expect(LoadProgress(url: "app-cache-https://shop.test/a").url == "https://shop.test/a")
        #expect(LoadProgress(url: "https://shop.test/a").url == "https://shop.test/a")
    }

    @Test("announcements: of the latest 4,096, one for each request, told apart by frame")
    func announcements() {
        var navigations = AnnouncedNavigations()
        for number in 0...AnnouncedNavigations.greatestCount {
            navigations.add("https://a.test/\(number)", isTopLevel: number % 2 == 0)
        }
        let taken1 = navigations.take("https://a.test/0", method: .get, [:]).kind
        #expect(taken1 == .none)
        let taken2 = navigations.take("https://a.test/1", method: .get, [:]).kind
        #expect(taken2 == .frame)
        let taken3 = navigations.take("https://a.test/2#x", method: .get, [:]).kind
        #expect(taken3 == .topLevel)
        let taken4 = navigations.take("https://a.test/2", method: .get, [:]).kind
        #expect(taken4 == .none)
        navigations.add("https://a.test/frame")
        navigations.mainFrameStarted()
        let taken5 = navigations.take("https://a.test/frame", method: .post, [.origin: "https://a.test"]).kind
        #expect(taken5 == .topLevel)
        let taken6 = navigations.take("https://a.test/3", method: .get, [.origin: "https://a.test"]).kind
        #expect(taken6 == .none)
    }

    @Test(
        "a request for a document is a frame's also if nothing announced it; images and style sheets take no announcement"
    )
    func unannounced() {
        let document = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
        var navigations = AnnouncedNavigations()
        navigations.add("https://a.test/", isTopLevel: true)
        for accept in ["image/webp,image/png,*/*;q=0.8", "text/css,*/*;q=0.1"] {
            let taken = navigations.take("https://a.test/", method: .get, [.accept: accept]).kind
            #expect(taken == .none)
        }
        for (method, accept, expected) in [
            (.get, document, .topLevel), (.get, document, .unannouncedFrame), (.get, "*/*", .none),
            (.get, "text/html", .none),
            (.put, document, .none),
        ] as [(HTTPRequest.Method, String, RequestEvidence.Navigation)] {
            let taken = navigations.take("https://a.test/", method: method, [.accept: accept]).kind
            #expect(taken == expected, "\(method) \(accept)")
        }
    }

    @Test("announcements of long URLs are kept up to a length; a longer one leaves none")
    func longAnnouncements() {
        var navigations = AnnouncedNavigations()
        let long = String(repeating: "a", count: AnnouncedNavigations.greatestLength / 4)
        for number in 0..<4 { navigations.add("https://a.test/\(number)\(long)") }
        let (first, second) = (
            navigations.take("https://a.test/0\(long)", method: .get, [:]).kind,
            navigations.take("https://a.test/1\(long)", method: .get, [:]).kind
        )
        #expect(first == .none && second == .frame)
        navigations.add("https://a.test/" + String(repeating: long, count: 4))
        let third = navigations.take("https://a.test/3\(long)", method: .get, [:]).kind
        #expect(third == .none)
        navigations.add("https://a.test/")
        let fourth = navigations.take("https://a.test/", method: .get, [:]).kind
        #expect(fourth == .frame)
    }
}
