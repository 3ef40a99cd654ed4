import CacheRules
import HTTPTypes

/// A rules file: its bytes.
enum RulesFileTarget: FuzzTarget {
    static let name = "rules-file"
    static let shapes = [
        HostileShape("["), HostileShape("{\"a\":"), HostileShape("\""), HostileShape("\\u0061", after: "\""),
        HostileShape("9"), HostileShape("\n"), HostileShape("\"a\":1,", after: "{"),
        HostileShape("{},", after: "{\"rules\":["),
        HostileShape("{\"include\":\"web-view-defaults\"},", after: "{\"rules\":["),
        HostileShape("{\"name\":\"a\",\"verdict\":\"bypass\"},", after: "{\"rules\":["),
        HostileShape("\"/{a,b}{a,b}{a,b}{a,b}{a,b}\",", after: "{\"rules\":[{\"when\":{\"path\":["),
        HostileShape("\"/*a*\",", after: "{\"rules\":[{\"when\":{\"path\":["),
        HostileShape("*", after: "{\"rules\":[{\"when\":{\"path\":\""), HostileShape("\u{E9}\"\n", after: "{"),
    ]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let list: RuleList
        do throws(RulesFileError) {
            list = try RuleList(json: input.bytes)
        } catch {
            try check(error, input.bytes)
            return
        }
        try claim(JSONChecker.isText(input.bytes), "a rules file is JSON", [input.text])
        try claim(list.rules.allSatisfy { $0 is Rule }, "every rule of a file is a value", [input.text])
        let printed: String
        let again: RuleList
        do throws(RulesFileError) {
            printed = try list.json()
            again = try RuleList(json: printed)
        } catch {
            throw BrokenClaim(description: "what was read is written, and read again: \(error) \(input.text)")
        }
        let (values, same) = (list.rules.map { $0 as? Rule }, again.rules.map { $0 as? Rule })
        try claim(same == values && again.keyRules == list.keyRules, "and is the same", [printed])
        try claim((try? again.json())?.isSame(as: printed) ?? false, "in the same text", [printed])
        try claim(cutOff(input.bytes), "a file that is cut off is none", [input.text])
        for exchange in exchanges {
            let decision = list.decision(for: exchange)
            let first = list.rules.lazy.compactMap { $0.decision(for: exchange) }.first
            try claim(
                first ?? .init(verdict: .followProtocol, rule: nil) == decision, "the first rule rules", [printed])
            try claim(again.decision(for: exchange) == decision, "written and read, it rules alike", [printed])
        }
    }

    /// Every problem has a position in the file, in its order.
    private static func check(_ error: RulesFileError, _ bytes: [UInt8]) throws(BrokenClaim) {
        let codes = Set(error.problems.map(\.code))
        // Reading ends at the first of these, so only that one is reported.
        if codes.isDisjoint(with: [.notUnicode, .tooDeep]) {
            let isText = JSONChecker.isText(bytes)
            try claim(isText != codes.contains(.syntax), "refused as JSON where it is none", [error, isText])
        }
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        try claim((1...100).contains(error.problems.count), "1 to 100 problems", [error])
        var last = (line: 1, column: 1)
        for problem in error.problems {
            guard let line = problem.line, let column = problem.column else {
                throw BrokenClaim(description: "a problem has a place: \(problem)")
            }
            try claim((1...lines.count).contains(line), "a line of the file", [problem])
            let width = lines[line - 1].count { $0 & 0xC0 != 0x80 }
            try claim((1...width + 1).contains(column), "a column of the line, or its end", [problem, width])
            try claim((last.line, last.column) <= (line, column), "in the order of the file", [error])
            try claim(!problem.message.isEmpty, "in words", [problem])
            last = (line, column)
        }
    }

    /// Whether the text without its last character other than white space is refused.
    private static func cutOff(_ bytes: [UInt8]) -> Bool {
        let end = bytes.lastIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } ?? 0
        return (try? RuleList(json: bytes[..<end])) == nil
    }

    private static let exchanges: [Exchange] = {
        let requests = [
            HTTPRequest(
                method: .get, scheme: "https", authority: "www.a.test", path: "/news/app.3f9c2b7e.js?q=1&utm_source=x",
                headerFields: [.accept: "text/html", .authorization: "Basic eDp5"]),
            HTTPRequest(method: .head, scheme: "http", authority: "a.test:8080", path: "/api/a"),
        ]
        let response = HTTPResponse(
            status: .ok, headerFields: [.contentType: "text/css", .cacheControl: "max-age=1", .server: "a"])
        return requests.flatMap { request in
            [HTTPResponse?.none, response].map {
                Exchange(request: request, destination: .document, connectivity: .connected, response: $0)
            }
        }
    }()
}
