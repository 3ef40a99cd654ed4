// The lines of docs/guides/web-page.md.
import LarderKit
import SwiftUI
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
struct ProductScreen: View {
    let larder: Larder
    let url: URL
    @State private var page: WebPage?

    var body: some View {
        VStack {
            if let page { WebView(page) }
        }
        .navigationTitle(page?.title ?? "")
        .task { if page == nil { await show() } }
    }

    private func show() async {
        var configuration = WebPage.Configuration()
        let requests = await larder.requests(for: &configuration)
        let made = WebPage(configuration: configuration, navigationDecider: ThroughLarder(requests: requests))
        requests.attach(to: made)
        made.load(requests.load(url))
        page = made
    }
}

struct AnyProductScreen: View {
    let larder: Larder
    let url: URL

    var body: some View {
        if #available(iOS 26.0, macOS 26.0, *) {
            ProductScreen(larder: larder, url: url)
        } else {
            ShopScreen(larder: larder, url: url)
        }
    }
}
