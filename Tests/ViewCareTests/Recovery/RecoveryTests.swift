import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import Fetching
@testable import ViewCare
@testable import WebTesting

@Suite("What a navigation leads to")
struct NavigationDecisionTests {
    struct Given: Sendable {
        var url: String
        var source: String? = "https://page.test/"
        var isMainFrame = true
        var opensWindow = false
        var isUserAction = true
    }

    static let rows: [FetchRow<Given, NavigationDecision>] = [
        .init(Given(url: "https://b.test/"), .load, "http and https stay"),
        .init(Given(url: "http://b.test/", isMainFrame: false), .load, "http and https stay"),
        .init(
            Given(url: "https://b.test/x#y", opensWindow: true), .loadInSameView(url: "https://b.test/x#y"), "_blank"),
        .init(Given(url: "tel:+1"), .handToApp(url: "tel:+1"), "RFC 3966"),
        .init(Given(url: "MAILTO:a@b.test"), .handToApp(url: "MAILTO:a@b.test"), "RFC 6068; schemes have no case"),
        .init(Given(url: "sms:+1"), .handToApp(url: "sms:+1"), "RFC 5724"),
        .init(Given(url: "facetime:a@b.test"), .handToApp(url: "facetime:a@b.test"), "an app's"),
        .init(Given(url: "itms-apps://apps.apple.com/1"), .handToApp(url: "itms-apps://apps.apple.com/1"), "an app's"),
        .init(Given(url: "intent://x#Intent;end"), .handToApp(url: "intent://x#Intent;end"), "an app's"),
        .init(Given(url: "made-up:x"), .handToApp(url: "made-up:x"), "unknown schemes"),
        .init(Given(url: "tel:+1", isUserAction: false), .refuse(.noUserAction), "no page dials on its own"),
        .init(Given(url: "tel:+1", isMainFrame: false, isUserAction: false), .refuse(.noUserAction), "nor a frame"),
        .init(Given(url: "tel:+1", source: nil, isUserAction: false), .handToApp(url: "tel:+1"), "the app itself asks"),
        .init(Given(url: "javascript:alert(1)"), .refuse(.scriptURL), "top-level"),
        .init(Given(url: " Java\nScript:alert(1)"), .refuse(.scriptURL), "URL §4.4"),
        .init(Given(url: "data:text/html,x"), .refuse(.scriptURL), "top-level"),
        .init(Given(url: "data:text/html,x", isMainFrame: false), .load, "a frame's data: has an opaque origin"),
        .init(
            Given(url: "data:application/pdf;base64," + String(repeating: "A", count: 70_000), isMainFrame: false),
            .load,
            "however long"),
        .init(Given(url: "data:text/html,x", isMainFrame: false, opensWindow: true), .refuse(.scriptURL), "_blank"),
        .init(Given(url: "file:///etc/passwd"), .refuse(.localScheme), "local files"),
        .init(Given(url: "file:///etc/passwd", isMainFrame: false), .refuse(.localScheme), "local files"),
        .init(Given(url: "view-source:https://b.test/"), .refuse(.localScheme), "the view's own"),
        .init(Given(url: "blob:https://page.test/1"), .refuse(.localScheme), "top-level"),
        .init(Given(url: "about:blank"), .load, "HTML §7.4"),
        .init(Given(url: "about:config"), .refuse(.localScheme), ""),
        .init(Given(url: "app-cache-https://bank.test/"), .refuse(.localScheme), "from a foreign page"),
        .init(Given(url: "app-cache-https://b.test/", source: "app-cache-https://a.test/"), .load, "from such a page"),
        .init(
            Given(url: "app-cache-https://evil.test\\@bank.test/", source: nil), .refuse(.malformed),
            "a host that two parsers read as two"),
        .init(Given(url: "https://"), .refuse(.malformed), "no host"), .init(Given(url: ""), .refuse(.malformed), ""),
        .init(Given(url: "/x"), .refuse(.malformed), "not absolute"),
    ]

    @Test("before the request", arguments: rows)
    func navigation(_ row: FetchRow<Given, NavigationDecision>) {
        let given = row.given
        let decision = NavigationDecision.decide(
            url: given.url, from: given.source.map { WebOrigin(url: $0) }, isMainFrame: given.isMainFrame,
            opensWindow: given.opensWindow, isUserAction: given.isUserAction)
        #expect(decision == row.expected)
    }

    @Test(
        "RFC 6266 §4.2: downloads",
        arguments: [
            FetchRow("attachment; filename=x.html", NavigationDecision.download(.attachment), "attachment"),
            FetchRow(" ATTACHMENT", .download(.attachment), "types have no case"),
            FetchRow("inline; filename=\"attachment\"", .load, "inline"),
            FetchRow("made-up", .download(.attachment), "unknown types are attachments"),
            FetchRow("filename=\"index.html\"", .load, "no type"), FetchRow("inline ; filename=x", .load, "a space"),
            FetchRow("", .load, "no type"),
        ])
    func downloads(_ row: FetchRow<String, NavigationDecision>) {
        let given = response(200, fields(("Content-Disposition", row.given)))
        #expect(NavigationDecision.decide(response: given, canShow: true) == row.expected)
    }

    @Test("what the view can't show is a download")
    func notShown() {
        #expect(NavigationDecision.decide(response: response(200), canShow: false) == .download(.typeNotShown))
        #expect(NavigationDecision.decide(response: response(200), canShow: true) == .load)
        #expect(NavigationDecision.decide(response: response(204), canShow: false) == .stay)
    }
}

@Suite("After a web content process died")
struct ProcessRecoveryTests {
    private func at(_ seconds: Int64) -> WallInstant { WallInstant(unixSeconds: seconds) }

    @Test("one reload, then an error page, however often the page dies")
    func once() {
        var recovery = ProcessRecovery()
        #expect(recovery.processDied(canReload: true, at: at(0)) == .reload)
        for second in 1...100 {
            #expect(recovery.processDied(canReload: true, at: at(Int64(second) * 100)) == .showError(.diedAgain))
        }
    }

    @Test(
        "a load that lasted allows a reload again",
        arguments: [
            FetchRow(Int64(29), ProcessRecovery.Decision.showError(.diedAgain), "one second short"),
            FetchRow(30, .reload, "the window"), FetchRow(-50, .showError(.diedAgain), "a clock set back"),
        ])
    func lasted(_ row: FetchRow<Int64, ProcessRecovery.Decision>) {
        var recovery = ProcessRecovery()
        _ = recovery.processDied(canReload: true, at: at(100))
        recovery.finishedLoading(at: at(105))
        #expect(recovery.processDied(canReload: true, at: at(105 + row.given)) == row.expected)
    }

    @Test("a page that reports more than one finished load starts the window no later")
    func finishedTwice() {
        var recovery = ProcessRecovery()
        _ = recovery.processDied(canReload: true, at: at(0))
        recovery.finishedLoading(at: at(1))
        recovery.finishedLoading(at: at(40))
        #expect(recovery.processDied(canReload: true, at: at(41)) == .reload)
    }

    @Test("without a URL there is nothing to reload, and the user may always try again")
    func others() {
        var recovery = ProcessRecovery()
        #expect(recovery.processDied(canReload: false, at: at(0)) == .showError(.nothingToReload))
        #expect(recovery.processDied(canReload: true, at: at(0)) == .reload)
        recovery.userNavigated()
        #expect(recovery.processDied(canReload: true, at: at(1)) == .reload)
    }
}
