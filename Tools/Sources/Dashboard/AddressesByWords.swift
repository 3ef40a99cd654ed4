import HTTPCacheSemantics

/// Sentences about a page's files, each once, with the files that it is about.
package struct AddressesByWords {
    private let page: String
    private var order: [String] = []
    private var urls: [String: [String]] = [:]
    private var known: Set<[String]> = []

    /// The most files that a line names.
    private static let named = 5

    /// - Parameter page: The page's address; files of its origin are named without that.
    package init(page: String) { self.page = page }

    package mutating func note(_ words: String, _ url: String) {
        guard known.insert([words, url]).inserted else { return }
        if urls[words] == nil { order.append(words) }
        urls[words, default: []].append(url)
    }

    /// `/a.js, /b.js: …`, those of the most files first.
    package var lines: [String] {
        order.map { ($0, urls[$0] ?? []) }.sorted { $0.1.count > $1.1.count }.map { words, urls in
            let names = urls.prefix(Self.named).map { Self.address($0, on: page) }.joined(separator: ", ")
            let rest = urls.count > Self.named ? " and \(urls.count - Self.named) more" : ""
            return "\(names)\(rest): \(words)"
        }
    }

    /// An address of the page's origin without that.
    package static func address(_ url: String, on page: String) -> String {
        guard let own = TargetURI.split(page), let parts = TargetURI.split(url), own.scheme == parts.scheme,
            own.authority == parts.authority
        else { return url }
        return parts.path
    }
}
