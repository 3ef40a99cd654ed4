// The lines of docs/guides/links.md.
import LarderKit
import SwiftUI
import WebKit

enum Links {
    /// A page of ours; nil for everything else that a link may say.
    static func page(_ link: URL?) -> URL? {
        guard let link, link.scheme == "https", link.host == "shop.example", link.user == nil else { return nil }
        return link
    }
}

struct LinkedScreen: View {
    let web: AccountWeb
    let home: URL

    var body: some View {
        AccountScreen(web: web, home: home)
            .onOpenURL { link in follow(link) }
            .onContinueUserActivity(pageActivity) { activity in follow(activity.webpageURL) }
    }

    private func follow(_ link: URL?) {
        guard let page = Links.page(link) else { return }
        Task { await web.open(page) }
    }
}

let pageActivity = "com.example.shop.page"  // also in Info.plist, in the array NSUserActivityTypes

extension View {
    func handedOver(_ progress: LoadProgress) -> some View {
        userActivity(pageActivity, isActive: progress.url != nil) { activity in
            activity.title = progress.title
            activity.webpageURL = progress.url.flatMap { URL(string: $0) }
        }
    }
}

@MainActor
func tapped(_ userInfo: [AnyHashable: Any], webs: [UUID: AccountWeb]) async {
    guard let page = Links.page((userInfo["url"] as? String).flatMap { URL(string: $0) }),
        let account = (userInfo["account"] as? String).flatMap({ UUID(uuidString: $0) })
    else { return }
    await webs[account]?.open(page)
}
