import CacheRules
import Fetching
import Foundation
import HTTPCacheSemantics
import HTTPTypes
import WebVisit

/// A file in the HTTP Archive format 1.2, as the developer tools of browsers save it
/// (https://w3c.github.io/web-performance/specs/HAR/Overview.html).
package enum HARFile {
    /// The most bytes that are read.
    package static let limit = 512 * 1_024 * 1_024

    /// Why a file can't be read, in one sentence.
    package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        package var description: String
    }

    // MARK: Reading

    /// - Returns: The requests in their order; those that a browser gave up, and all that is not http or https, are
    ///   left out.
    package static func read(_ bytes: Data) throws(Problem) -> [RecordedExchange] {
        guard bytes.count <= limit else {
            throw Problem(description: "The file has more than \(limit / 1_048_576) MiB; save one page alone.")
        }
        // Some tools put a byte order mark first, which JSON does not allow.
        let mark = Data([0xEF, 0xBB, 0xBF])
        let file: Readable
        do {
            file = try JSONDecoder().decode(
                Readable.self, from: bytes.starts(with: mark) ? bytes.dropFirst(3) : bytes)
        } catch {
            throw Problem(
                description:
                    "This is no HAR file; save one in the network panel of a browser's developer tools, or with "
                    + "larder open --har.")
        }
        let found = file.log.entries.compactMap { $0.entry?.exchange }
        guard !file.log.entries.isEmpty else {
            throw Problem(description: "The file has no requests; record while the page loads.")
        }
        guard found.contains(where: { $0.failure == nil }) else {
            let reason = found.first?.failure.map { " The first: \($0)" } ?? ""
            throw Problem(
                description: "No request in the file was answered, so there is no page; record it again.\(reason)")
        }
        return found
    }

    /// The members that are read. Browsers differ in all others.
    private struct Readable: Decodable {
        var log: Log

        struct Log: Decodable { var entries: [Lenient] }

        /// One entry that can't be read costs no other one.
        struct Lenient: Decodable {
            var entry: Entry?

            init(from decoder: any Decoder) throws { entry = try? Entry(from: decoder) }
        }

        struct Field: Decodable {
            var name: String
            var value: String
        }

        struct Request: Decodable {
            var method: String
            var url: String
            var headers: [Field]?
        }

        struct Content: Decodable {
            var size: Double?
            var mimeType: String?
        }

        struct Response: Decodable {
            var status: Double
            var headers: [Field]?
            var content: Content?
            var redirectURL: String?
        }

        struct Timings: Decodable {
            var wait: Double?
        }

        struct Line: Decodable {
            var outcome: String?
            var failure: String?
        }

        struct Entry: Decodable {
            var startedDateTime: String?
            var time: Double?
            var request: Request
            var response: Response
            var timings: Timings?
            var type: String?
            var line: Line?

            enum CodingKeys: String, CodingKey {
                case startedDateTime, time, request, response, timings
                case type = "_resourceType"
                case line = "_larder"
            }

            var exchange: RecordedExchange? {
                guard let status = Int(exactly: response.status.rounded()), (200..<600).contains(status),
                    let parts = TargetURI.split(request.url), ["http", "https"].contains(parts.scheme),
                    HTTPRequest.Method(request.method) != nil
                else { return nil }
                let fields = HARFile.fields(request.headers ?? [])
                var answered = HARFile.fields(response.headers ?? [])
                if !answered.contains(.contentType), let type = response.content?.mimeType, type.contains("/"),
                    type != "x-unknown"
                {
                    answered[.contentType] = type
                }
                let said = fields[.secFetchDest].flatMap { Destination(rawValue: $0) }
                let size = response.content?.size.flatMap { Int64(exactly: $0.rounded()) } ?? 0
                var exchange = RecordedExchange(
                    method: request.method, url: request.url.prefix { $0 != "#" }.description,
                    destination: said ?? HARFile.destination(type, answered[.contentType]), status: status,
                    request: fields, response: answered, size: max(0, size),
                    start: startedDateTime.flatMap(HARFile.time) ?? 0, waited: max(0, timings?.wait ?? 0),
                    took: max(0, time ?? 0))
                exchange.noteFailure(line?.outcome, line?.failure)
                return exchange
            }
        }
    }

    private static func fields(_ read: [Readable.Field]) -> HTTPFields {
        var fields = HTTPFields()
        for field in read {
            // Pseudo-fields of HTTP/2 are no fields, and Chrome puts several lines of one name into one value.
            guard let name = HTTPField.Name(field.name) else { continue }
            for line in field.value.split(separator: "\n", omittingEmptySubsequences: false) {
                let value = line.trimmingCharacters(in: .whitespaces)
                if HTTPField.isValidValue(value) { fields.append(HTTPField(name: name, value: value)) }
            }
        }
        return fields
    }

    private static let types: [String: Destination] = [
        "document": .document, "stylesheet": .style, "script": .script, "image": .image, "font": .font, "xhr": .fetch,
        "fetch": .fetch, "manifest": .manifest, "other": .unknown,
    ]

    /// The use of a response, where the request does not state it.
    private static func destination(_ type: String?, _ contentType: String?) -> Destination {
        if let type, let known = types[type] { return known }
        let essence = (contentType ?? "").prefix { $0 != ";" }.lowercased()
        if essence.contains("html") { return .document }
        if essence == "text/css" { return .style }
        if MediaTypeKind(essence) == .javaScript { return .script }
        if MediaTypeKind(essence) == .font { return .font }
        return essence.hasPrefix("image/") ? .image : .unknown
    }

    private static func time(_ text: String) -> Double? {
        for options in [
            ISO8601DateFormatter.Options.withInternetDateTime, [.withInternetDateTime, .withFractionalSeconds],
        ] {
            let formatter = ISO8601DateFormatter()
            formatter.formatOptions = options
            if let date = formatter.date(from: text) { return date.timeIntervalSince1970 * 1_000 }
        }
        return nil
    }

    // MARK: Writing

    /// - Parameters:
    ///   - page: The page's address and title.
    ///   - loaded: Milliseconds until `DOMContentLoaded` and until the load event, where they came.
    package static func write(
        _ exchanges: [RecordedExchange], page: (url: String, title: String), loaded: (content: Double?, page: Double?),
        version: String
    ) throws -> Data {
        let started = exchanges.map(\.start).min() ?? 0
        let page = Written.Page(
            startedDateTime: text(started), id: "page_1", title: page.title.isEmpty ? page.url : page.title,
            pageTimings: .init(onContentLoad: loaded.content ?? -1, onLoad: loaded.page ?? -1))
        let log = Written.Log(
            version: "1.2", creator: .init(name: "Larder", version: version), pages: [page],
            entries: exchanges.map(Written.Entry.init))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(Written(log: log))
    }

    /// Fields whose names say that they let somebody in.
    fileprivate static func isSecret(_ name: HTTPField.Name) -> Bool {
        let name = name.canonicalName
        return ["cookie", "token", "secret", "api-key", "apikey", "session", "csrf", "xsrf", "authorization"].contains {
            name.contains($0)
        }
    }

    fileprivate static func text(_ milliseconds: Double) -> String {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        return formatter.string(from: Date(timeIntervalSince1970: milliseconds / 1_000))
    }

    private struct Written: Encodable {
        var log: Log

        struct Log: Encodable {
            var version: String
            var creator: Creator
            var pages: [Page]
            var entries: [Entry]
        }

        struct Creator: Encodable {
            var name: String
            var version: String
        }

        struct Page: Encodable {
            var startedDateTime: String
            var id: String
            var title: String
            var pageTimings: Timings

            struct Timings: Encodable {
                var onContentLoad: Double
                var onLoad: Double
            }
        }

        struct Field: Encodable {
            var name: String
            var value: String
        }

        struct Request: Encodable {
            var method: String
            var url: String
            var httpVersion = "HTTP/1.1"
            var cookies: [Field] = []
            var headers: [Field]
            var queryString: [Field]
            var headersSize = -1
            var bodySize = -1
        }

        struct Response: Encodable {
            var status: Int
            var statusText: String
            var httpVersion = "HTTP/1.1"
            var cookies: [Field] = []
            var headers: [Field]
            var content: Content
            var redirectURL: String
            var headersSize = -1
            var bodySize: Int64

            struct Content: Encodable {
                var size: Int64
                var mimeType: String
            }
        }

        struct Timings: Encodable {
            var send = 0.0
            var wait: Double
            var receive: Double
        }

        struct Cache: Encodable {}

        struct Entry: Encodable {
            var pageref = "page_1"
            var startedDateTime: String
            var time: Double
            var request: Request
            var response: Response
            var cache = Cache()
            var timings: Timings
            /// As Chrome has it.
            var _resourceType: String
            /// How Larder has answered, as in `open --json`.
            var _larder: ExchangeLine?

            init(_ exchange: RecordedExchange) {
                startedDateTime = HARFile.text(exchange.start)
                time = exchange.took
                timings = Timings(wait: min(exchange.waited, time), receive: max(0, time - exchange.waited))
                let query = exchange.url.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
                request = Request(
                    method: exchange.method, url: exchange.url, headers: Self.fields(exchange.request),
                    queryString: query.split(separator: "&").map { item in
                        let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                        func decoded(_ text: Substring) -> String { text.removingPercentEncoding ?? String(text) }
                        return Field(name: decoded(parts[0]), value: parts.count > 1 ? decoded(parts[1]) : "")
                    })
                let status = HTTPResponse.Status(code: min(max(exchange.status, 0), 999))
                response = Response(
                    status: exchange.status, statusText: status.reasonPhrase, headers: Self.fields(exchange.response),
                    content: .init(
                        size: exchange.size, mimeType: exchange.response[.contentType] ?? "x-unknown"),
                    redirectURL: exchange.response[.location].map(URLUserinfo.removed) ?? "",
                    bodySize: exchange.line?.originBytes ?? exchange.size)
                _resourceType = HARFile.types.first { $0.value == exchange.destination }?.key ?? "other"
                _larder = exchange.line
            }

            private static func fields(_ fields: HTTPFields) -> [Field] {
                fields.map { field in
                    let value = field.name == .location ? URLUserinfo.removed(from: field.value) : field.value
                    return Field(name: field.name.rawName, value: HARFile.isSecret(field.name) ? "(removed)" : value)
                }
            }
        }
    }
}
