import HTTPCacheSemantics

/// URLs under whose names, with a content hash in them, other bytes came than before; what that means, in sentences.
package struct BrokenHashedNames: Hashable, Sendable {
    /// In the order in which they came, each once.
    private let urls: [String]

    /// - Parameter urls: Absolute ones, in any number.
    package init(_ urls: [String]) {
        var known: Set<String> = []
        self.urls = urls.filter { known.insert($0).inserted }
    }

    /// One for each host, in the order in which they came; none without URLs.
    package var sentences: [String] {
        var hosts: [String] = []
        var names: [String: [String]] = [:]
        for url in urls {
            let parts = TargetURI.split(url)
            let host = parts?.authority ?? "a host"
            if names[host] == nil { hosts.append(host) }
            names[host, default: []].append(parts?.path ?? url)
        }
        return hosts.map { host in
            let names = names[host] ?? []
            let others = names.count > 1 ? " (and under \(names.count - 1) more)" : ""
            return "\(host) sent other bytes than before under the hashed name \(names[0])\(others); "
                + "none of its names counts as hashed any more"
        }
    }
}
