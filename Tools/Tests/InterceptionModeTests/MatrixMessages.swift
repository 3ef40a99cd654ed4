import Foundation
import NIOHTTP1

struct MatrixRequest: Sendable {
    var method: String
    /// Without a port.
    var host: String
    var path: String
    /// Without the question mark; empty where there is none.
    var query: String
    var fields: HTTPHeaders
    var body: [UInt8] = []
    private let parameters: [String: String]

    init(_ head: HTTPRequestHead) {
        let target = head.uri.split(separator: "?", maxSplits: 1).map(String.init)
        method = head.method.rawValue
        host = String((head.headers.first(name: "Host") ?? "").prefix { $0 != ":" })
        path = target.first ?? "/"
        query = target.count > 1 ? target[1] : ""
        fields = head.headers
        parameters = (URLComponents(string: "?" + query)?.queryItems ?? []).reduce(into: [:]) {
            $0[$1.name] = $1.value ?? ""
        }
    }

    /// The decoded value of a query parameter; the empty text for one without a value.
    subscript(_ parameter: String) -> String? { parameters[parameter] }

    /// What pages are told of an upload: octets as they are where they are text and few.
    var echo: String {
        let isText = body.count <= 1_000 && body.allSatisfy { (1..<128).contains($0) }
        let text = method == "GET" && path == "/form" ? query : String(decoding: body, as: UTF8.self)
        return Self.json([
            "method": method, "type": fields.first(name: "Content-Type"),
            "text": isText ? text : "\(body.count) octets",
        ])
    }

    static func json(_ values: [String: String?]) -> String {
        (try? JSONEncoder().encode(values)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}

struct MatrixAnswer: Sendable {
    var status = 200
    var fields: HTTPHeaders = [:]
    var body: [UInt8] = []
    /// Waited for after ``body`` is out; what it returns ends the body.
    var rest: (@Sendable () async -> String)?
    /// Whether the connection is closed after ``body``, which was to be longer.
    var breaksOff = false
    /// Whether the connection is closed instead.
    var hangsUp = false

    init(_ type: String, _ text: String, cache: String = "no-store") {
        self.init(type, Array(text.utf8), cache: cache)
    }

    init(_ type: String, _ body: [UInt8], cache: String = "no-store") {
        self.body = body
        fields = ["Content-Type": type, "Cache-Control": cache]
    }
}

/// Texts that are put under a name, each once, for those who wait for them.
actor Mailbox {
    private var texts: [String: String] = [:]
    private var waiting: [String: [CheckedContinuation<String, Never>]] = [:]
    private var isClosed = false

    func put(_ text: String, under name: String) {
        texts[name] = text
        for continuation in waiting.removeValue(forKey: name) ?? [] { continuation.resume(returning: text) }
    }

    func text(under name: String) async -> String {
        if let text = texts[name] { return text }
        guard !isClosed else { return "" }
        return await withCheckedContinuation { waiting[name, default: []].append($0) }
    }

    /// From now on nobody waits.
    func close() {
        isClosed = true
        for continuation in waiting.values.joined() { continuation.resume(returning: "") }
        waiting = [:]
    }
}
