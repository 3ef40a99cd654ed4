import HTTPCacheSemantics
import Preloading

/// A plain list of URLs to fetch ahead.
enum PreloadListTarget: FuzzTarget {
    static let name = "preload-list"
    static let shapes = [
        HostileShape("\n"), HostileShape("#"), HostileShape(" "), HostileShape("https://a/\n"),
        HostileShape("a", after: "https://"), HostileShape("../", after: "https://a/"),
        HostileShape("\r\n# x\r\n https://a/?\r\n"),
    ]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let items: [PreloadItem]
        do throws(PreloadListError) {
            items = try PreloadList.read(input.bytes, group: .lazy)
        } catch {
            let lines = input.bytes.split(separator: 0x0A, omittingEmptySubsequences: false).count
            try claim((0...lines).contains(error.line), "the line that is named exists", [error])
            return
        }
        let urls = items.map(\.url)
        try claim(Set(urls).count == urls.count, "none stands there twice", [urls])
        for item in items {
            try claim(
                TargetURI.resolve(item.url, against: item.url) == item.url, "absolute and normalised", [item.url])
            try claim(item.group == .lazy && item.content == nil, "nothing is stated", [item])
            try claim(item.url.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "ASCII without spaces", [item.url])
        }
        let printed = Array(urls.joined(separator: "\r\n").utf8)
        let again = try? PreloadList.read(printed, group: .lazy)
        try claim(again == items, "what is printed is read again", [urls])
    }
}
