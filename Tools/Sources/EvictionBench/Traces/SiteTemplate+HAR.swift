import Foundation

extension SiteTemplate {
    /// Reads a recording (HAR 1.2).
    ///
    /// Left out is what no cache may store or what says too little: methods other than GET, statuses
    /// other than 200, 203, 301, 308, 404 and 410, `no-store`, `data:` addresses. Style sheets,
    /// scripts and fonts belong to the site, or to all sites where another host has them; so does
    /// every second image. Documents, data and other images belong to the page. A query that holds
    /// the time of the recording makes an address that never comes back.
    ///
    /// - Throws: An error of `JSONDecoder` for anything but a HAR.
    package init(har data: Data) throws {
        let log = try JSONDecoder().decode(Recording.self, from: data).log
        var pages: [[File]] = []
        var numbers: [String: Int] = [:]
        for entry in log.entries {
            let page = entry.pageref ?? ""
            if numbers[page] == nil {
                numbers[page] = pages.count
                pages.append([])
            }
            guard let number = numbers[page] else { continue }
            if let file = entry.file(of: log.host(ofPage: page)) { pages[number].append(file) }
        }
        self.init(pages: pages.filter { !$0.isEmpty })
    }
}

private struct Recording: Decodable {
    struct Log: Decodable {
        var entries: [Entry]

        /// The host of a page's document: of the first entry that was recorded for it.
        func host(ofPage page: String) -> String {
            entries.first { ($0.pageref ?? "") == page }?.host ?? ""
        }
    }

    struct Entry: Decodable {
        struct Request: Decodable {
            var method: String
            var url: String
        }

        struct Response: Decodable {
            struct Content: Decodable {
                var size: Int?
                var compression: Int?
                var mimeType: String?
            }

            struct Field: Decodable {
                var name: String
                var value: String
            }

            var status: Int
            var bodySize: Int?
            var content: Content
            var headers: [Field]
        }

        struct Timings: Decodable {
            var wait: Double?
            var receive: Double?
        }

        var pageref: String?
        var startedDateTime: String
        var request: Request
        var response: Response
        var timings: Timings
    }

    var log: Log
}

extension Recording.Entry {
    var host: String { URLComponents(string: request.url)?.host ?? "" }

    func file(of pageHost: String) -> SiteTemplate.File? {
        let mayBeStored = !response.headers.contains {
            $0.name.lowercased() == "cache-control" && $0.value.lowercased().contains("no-store")
        }
        guard request.method == "GET", [200, 203, 301, 308, 404, 410].contains(response.status), mayBeStored,
            request.url.hasPrefix("http")
        else { return nil }
        let cost = max(0, timings.wait ?? 0) + max(0, timings.receive ?? 0)
        return SiteTemplate.File(
            name: request.url,
            response: TracedResponse(size: bodySize + TracedResponse.headSize, cost: max(1, cost)),
            naming: naming(of: pageHost))
    }

    /// As it came over the wire, where that was recorded.
    private var bodySize: Int {
        if let size = response.bodySize, size > 0 { return size }
        return max(0, (response.content.size ?? 0) - (response.content.compression ?? 0))
    }

    private func naming(of pageHost: String) -> SiteTemplate.Naming {
        if holdsTime { return .once }
        let type = response.content.mimeType?.lowercased() ?? ""
        let isImage = type.contains("image")
        let lasts = ["css", "javascript", "font", "octet-stream", "wasm"].contains { type.contains($0) }
        guard lasts || isImage && request.url.utf8.reduce(0, { $0 &+ Int($1) }) % 2 == 0 else { return .page }
        return Self.site(host) == Self.site(pageHost) ? .site : .shared
    }

    /// Whether the query holds a number that is the time of the recording, give or take a day, in
    /// seconds or milliseconds since 1970.
    private var holdsTime: Bool {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let plain = Date.ISO8601FormatStyle()
        guard let query = request.url.firstIndex(of: "?"),
            let start = (try? style.parse(startedDateTime)) ?? (try? plain.parse(startedDateTime))
        else { return false }
        return request.url[query...].split { !$0.isASCII || !$0.isNumber }.contains { digits in
            guard let number = Double(digits) else { return false }
            return [number, number / 1_000].contains { abs($0 - start.timeIntervalSince1970) < 86_400 }
        }
    }

    /// The last two labels, which is near enough here.
    private static func site(_ host: String) -> String {
        host.split(separator: ".").suffix(2).joined(separator: ".")
    }
}
