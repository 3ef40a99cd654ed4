import CacheRules
import HTTPTypes

/// The cost of a decision by 50 rules: the defaults of web views behind others of five kinds.
struct RuleBench {
    private static let count = 50

    private let rules: RuleList
    private let request: HTTPFields = [
        .accept: "text/html,application/xhtml+xml,*/*;q=0.8", .acceptEncoding: "gzip, br", .acceptLanguage: "en",
        .userAgent: "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15",
        .referer: "https://shop.example.com/", .cookie: "a=b; c=d",
    ]

    init() {
        let others = Self.count - RuleList.webViewDefaults.rules.count
        rules = RuleList {
            for number in 0..<others { Self.rule(number) }
            RuleList.webViewDefaults
        }
    }

    /// Hosts, path prefixes, patterns with an extension, patterns with a host, query items. None of them holds below.
    private static func rule(_ number: Int) -> Rule {
        switch number % 5 {
        case 0: Rule("host-\(number)", .neverStore, when: .host("pay\(number).example.org", "*.bank\(number).example"))
        case 1: Rule("prefix-\(number)", .storeOnlyIfExplicit, when: .pathPrefix("/v\(number)/api/"))
        case 2: Rule("files-\(number)", .cacheFirst, when: .path("/section\(number)/**"), .fileExtension("js", "css"))
        case 3: Rule("steps-\(number)", .bypass, when: .path("**/step\(number)/*/x"), .host("*.example.net"))
        default:
            Rule(
                "query-\(number)", .bypass, when: .any(.query("a\(number)"), .all(.query("b\(number)"), .method(.get))))
        }
    }

    /// - Parameters:
    ///   - only: The name of one operation; `nil` for all.
    ///   - count: Operations a round.
    func measure(only: String? = nil, count: Int) -> [Measurement] {
        exchanges.filter { only == nil || $0.name == only }.map { name, exchange in
            Measurement.run(name, count: count) { rules.decision(for: exchange).rule?.utf8.count ?? 0 }
        }
    }

    private var exchanges: [(name: String, exchange: Exchange)] {
        let script = "text/javascript; charset=utf-8"
        let (plain, hashed) = ("/assets/js/vendor.chunk.js", "/assets/js/vendor.3f2a9c1b.chunk.js")
        let search = "/search/results?q=running%20shoes&page=2&utm_source=mail&sort=price&lang=en"
        return [
            ("50 rules: a script, no response yet", exchange(plain, .script)),
            ("50 rules: a script without freshness", exchange(plain, .script, script)),
            ("50 rules: a script with max-age", exchange(plain, .script, script, "public, max-age=86400")),
            ("50 rules: an image with max-age", exchange("/media/1234.jpg", .image, "image/jpeg", "max-age=86400")),
            ("50 rules: a hashed name, no response yet", exchange(hashed, .script)),
            ("50 rules: a hashed name with max-age", exchange(hashed, .script, script, "public, max-age=86400")),
            ("50 rules: a query, no response yet", exchange(search, .fetch)),
            ("50 rules: a query, a page that says no-cache", exchange(search, .document, "text/html", "no-cache")),
        ]
    }

    /// - Parameter type: The content type of the response; `nil` for none yet.
    private func exchange(
        _ path: String, _ destination: Destination, _ type: String? = nil, _ control: String? = nil
    ) -> Exchange {
        var response: HTTPResponse?
        if let type {
            var fields: HTTPFields = [
                .server: "nginx", .date: "Sun, 06 Nov 1994 08:49:37 GMT", .contentType: type, .contentLength: "12288",
                .lastModified: "Sun, 06 Nov 1994 08:49:37 GMT", .eTag: "\"5d8c72a5edda8d6a\"",
            ]
            if let control { fields[.cacheControl] = control }
            fields.append(contentsOf: [
                HTTPField(name: .vary, value: "Accept-Encoding"), HTTPField(name: .contentEncoding, value: "br"),
                HTTPField(name: .acceptRanges, value: "bytes"),
                HTTPField(name: .strictTransportSecurity, value: "max-age=63072000"),
            ])
            response = HTTPResponse(status: .ok, headerFields: fields)
        }
        return Exchange(
            request: HTTPRequest(
                method: .get, scheme: "https", authority: "www.shop.example.com", path: path, headerFields: request),
            destination: destination, connectivity: .connected, response: response)
    }
}
