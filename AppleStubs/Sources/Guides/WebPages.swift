// The lines of docs/guides/views.md about WebPage.
import LarderKit
import WebKit

@available(iOS 26.0, macOS 26.0, *)
@MainActor
struct ThroughLarder: WebPage.NavigationDeciding {
    let requests: WebPageRequests

    func decidePolicy(
        for action: WebPage.NavigationAction, preferences: inout WebPage.NavigationPreferences
    ) async -> WKNavigationActionPolicy {
        await requests.announce(action)
        return .allow
    }

    func decideAuthenticationChallengeDisposition(
        for challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        requests.disposition(for: challenge) ?? (.performDefaultHandling, nil)
    }
}

@available(iOS 26.0, macOS 26.0, *)
@MainActor
func makePage(larder: Larder, url: URL) async -> WebPage {
    var configuration = WebPage.Configuration()
    let requests = await larder.requests(for: &configuration)
    let page = WebPage(configuration: configuration, navigationDecider: ThroughLarder(requests: requests))
    requests.attach(to: page)
    page.load(requests.load(url))
    return page
}
