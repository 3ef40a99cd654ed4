import CacheRules
import CacheTesting
import Testing

@Suite("Errors of a rules file have a position and advice")
struct RulesFileErrorTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var json: String
        /// Line, column and a part of the message.
        var problems: [(line: Int, column: Int, code: RulesFileError.Code, words: String)]

        init(_ json: String, _ problems: (Int, Int, RulesFileError.Code, String)...) {
            self.json = json
            self.problems = problems.map { (line: $0.0, column: $0.1, code: $0.2, words: $0.3) }
        }

        var testDescription: String { String(json.prefix(80)) }
    }

    static let syntax = [
        Row("", (1, 1, .syntax, "the file ends")),
        Row("{", (1, 2, .syntax, "the file ends")),
        Row("{\n  \"rules\": [\n", (3, 1, .syntax, "the file ends")),
        Row(#"{ "rules": ["#, (1, 13, .syntax, "the file ends")),
        Row(#"{ "rules": [] } x"#, (1, 17, .syntax, "after the end")),
        Row(#"{ "rules": [], }"#, (1, 16, .syntax, "key in quotes")),
        Row(#"{ "rules": [1,] }"#, (1, 15, .syntax, "Expected a value")),
        Row(#"{ rules: [] }"#, (1, 3, .syntax, "key in quotes")),
        Row(#"{ "rules" [] }"#, (1, 11, .syntax, "\":\"")),
        Row(#"{ "rules": [] "x": 1 }"#, (1, 15, .syntax, "\",\" or \"}\"")),
        Row(#"{ "rules": [nil] }"#, (1, 13, .syntax, "need quotes")),
        Row(#"{ "rules": "a"#, (1, 12, .syntax, "middle of a string")),
        Row("{ \"rules\": \"a\nb\" }", (1, 14, .syntax, "own line")),
        Row(#"{ "rules": "\q" }"#, (1, 13, .syntax, "backslash")),
        Row(#"{ "rules": "\ud800" }"#, (1, 13, .syntax, "surrogate")),
        Row(#"{ "rules": "\u12g4" }"#, (1, 13, .syntax, "hexadecimal")),
        Row(#"{ "rules": 01 }"#, (1, 12, .syntax, "begin with 0")),
        Row(#"{ "rules": -x }"#, (1, 13, .syntax, "digit")),
        Row(#"{ "rules": 1. }"#, (1, 14, .syntax, "digit")),
        Row(#"{ "é": 1, x }"#, (1, 11, .syntax, "key in quotes")),
        Row(#"{ "rules": [], "rules": [] }"#, (1, 16, .duplicateKey, "is repeated")),
        Row(#"{ "rules": [], "rul\u0065s": [] }"#, (1, 16, .duplicateKey, "is repeated")),
        Row(String(repeating: "[", count: 33), (1, 33, .tooDeep, "32 deep")),
        Row(String(repeating: "[", count: 100_000), (1, 33, .tooDeep, "32 deep")),
        Row(String(repeating: " ", count: 1_048_577), (1, 1, .tooLarge, "1048576")),
    ]

    private static func rule(_ members: String, _ problems: (Int, RulesFileError.Code, String)...) -> Row {
        var row = Row("{ \"rules\": [\n{ \"name\": \"r\", \(members) }\n] }")
        row.problems = problems.map { (line: 2, column: $0.0, code: $0.1, words: $0.2) }
        return row
    }

    private static func when(_ members: String, _ problems: (Int, RulesFileError.Code, String)...) -> Row {
        var row = Row("{ \"rules\": [ { \"name\": \"r\", \"verdict\": \"bypass\", \"when\": {\n\(members) } } ] }")
        row.problems = problems.map { (line: 2, column: $0.0, code: $0.1, words: $0.2) }
        return row
    }

    static let meaning = [
        Row("[]", (1, 1, .wrongType, "a rules file, not a list")),
        Row("{}", (1, 1, .missingKey, "\"rules\" is missing")),
        Row(#"{ "rule": [] }"#, (1, 1, .missingKey, "rules"), (1, 3, .unknownKey, "did you mean \"rules\"?")),
        Row(#"{ "rules": {} }"#, (1, 12, .wrongType, "a list of rules, not an object")),
        Row(#"{ "rules": [7] }"#, (1, 13, .wrongType, "a rule, not a number")),
        Row(
            #"{ "rules": [{}] }"#, (1, 13, .missingKey, "\"name\" is missing"),
            (1, 13, .missingKey, "\"verdict\" is missing")),
        Row(
            #"{ "rules": [{ "name": "a", "verdict": "permanent", "when": { "hashed-name": "yes" } }] }"#,
            (1, 77, .wrongType, "write true without quotation marks")),
        Row(
            #"{ "rules": [{ "name": "a", "verdict": "permanent", "when": { "hashed-name": ["v", "True"] } }] }"#,
            (1, 83, .wrongType, "write true without quotation marks")),
        Row(#"{ "rules": [{ "include": "defaults" }] }"#, (1, 26, .unknownName, "\"web-view-defaults\"")),
        Row(
            #"{ "rules": [{ "include": "web-view-defaults", "without": "api-paths" }] }"#,
            (1, 58, .unknownName, "did you mean \"api-path\"?")),
        Row(
            #"{ "rules": [{ "include": "web-view-defaults", "without": ["html", "htlm"] }] }"#,
            (1, 67, .unknownName, "did you mean \"html\"?")),
        Row(
            #"{ "rules": [{ "name": "html", "verdict": "bypass" }, { "include": "web-view-defaults" }] }"#,
            (1, 67, .duplicateName, "already a rule \"html\", in line 1")),
        rule(#""verdict": "bypas""#, (27, .unknownName, "did you mean \"bypass\"?")),
        rule(#""verdict": "neverStore""#, (27, .unknownName, "did you mean \"never-store\"?")),
        rule(#""verdict": "no-store""#, (27, .unknownName, "did you mean \"never-store\"?")),
        rule(#""verdict": "quux""#, (27, .unknownName, "there are \"never-store\", \"reload\"")),
        rule(#""verdict": true"#, (27, .wrongType, "a text, not true or false")),
        rule(#""verdict": "fresh""#, (27, .missingKey, "needs \"for\"")),
        rule(#""verdict": "bypass", "for": "7d""#, (37, .misplacedKey, "under the verdict \"bypass\"")),
        rule(#""verdict": "fresh", "for": "7days""#, (43, .badDuration, "1h30m")),
        rule(#""verdict": "fresh", "for": -1"#, (43, .badDuration, "1h30m")),
        rule(#""verdict": "fresh", "for": 1.5"#, (43, .badDuration, "1h30m")),
        rule(#""verdict": "fresh", "for": null"#, (43, .wrongType, "a duration")),
        rule(#""verdict": "reload", "caches": "both""#, (47, .unknownName, "\"local\", \"all\"")),
        rule(#""verdict": "bypass", "ignoring": "nostore""#, (49, .unknownName, "did you mean \"no-store\"?")),
        rule(#""verdict": "bypass", "tags": ["a b", 1]"#, (46, .badName, "without spaces"), (53, .wrongType, "a text")),
        rule(#""verdict": "bypass", "wen": {}"#, (37, .unknownKey, "did you mean \"when\"?")),
        rule(#""verdict": "bypass", "when": []"#, (45, .wrongType, "a condition, not a list")),
        when(#""hots": "a.test""#, (1, .unknownKey, "did you mean \"host\"?")),
        when(#""pathPrefix": "/a""#, (1, .unknownKey, "did you mean \"path-prefix\"?")),
        when(#""regex": "a""#, (1, .unknownKey, "did you mean \"path\"?")),
        when(#""host": 1"#, (9, .wrongType, "a text or a list of texts, not a number")),
        when(#""host": ["a.test", 1]"#, (20, .wrongType, "a text, not a number")),
        when(#""host": "https://a.test""#, (9, .badPattern, "no scheme and no path")),
        when(#""host": "a.*.test""#, (9, .badPattern, "begin with \"*.\"")),
        when(#""host": "**.test""#, (9, .badPattern, "begin with \"*.\"")),
        when(#""host": "bücher.test""#, (9, .badPattern, "xn--")),
        when(#""host": "a.test:""#, (9, .badPattern, "not a host")),
        when(#""host": "a.test:99999""#, (9, .badPattern, "not a host")),
        when(#""host": "*.[::1]""#, (9, .badPattern, "no hosts below an address; write \"[::1]\"")),
        when(#""host": "*.127.0.0.1:80""#, (9, .badPattern, "no hosts below an address")),
        when(#""host": """#, (9, .badPattern, "not a host")),
        when(#""path-prefix": "api/""#, (16, .badPattern, "begins with \"/\"")),
        when(#""path": "news/*""#, (9, .badPattern, "begins with \"/\" or")),
        when(#""path": "*.js""#, (9, .badPattern, "begins with \"/\" or \"**\"")),
        when(#""file-extension": ".js""#, (19, .badPattern, "no dot")),
        when(#""content-type": "css""#, (17, .badPattern, "not a media type")),
        when(#""content-type": "*/css""#, (17, .badPattern, "not a media type")),
        when(#""content-type": "text/css; charset=utf-8""#, (17, .badPattern, "without parameters")),
        when(#""method": "GE T""#, (11, .badName, "not a method")),
        when(#""destination": "empty""#, (16, .unknownName, "did you mean \"fetch\"?")),
        when(#""query": "a""#, (10, .wrongType, "an object such as")),
        when(#""query": { "a": false }"#, (17, .wrongType, "true for")),
        when(#""request-header": { "a b": true }"#, (21, .badName, "not a field name")),
        when(#""request-header": { "A": true, "a": "x" }"#, (32, .duplicateKey, "is repeated")),
        when(#""regular-expression": "^/a""#, (1, .unknownKey, "\"path\": \"/{news,sports}/**\"")),
        when(#""path": ["/{a", "/{a,{b}}"]"#, (10, .badPattern, "are closed"), (17, .badPattern, "in no others")),
        when(#""path": "/{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}""#, (9, .badPattern, "at most 32")),
        when(#""path": "{/a,/b}""#, (9, .badPattern, "begins with \"/\"")),
        when(#""freshness": "none""#, (14, .unknownName, "\"unstated\"")),
        when(#""any": { "host": "a.test" }"#, (8, .wrongType, "a list of conditions")),
        when(#""any": [{ "host": 1 }, { "pth": 2 }]"#, (19, .wrongType, "a text"), (26, .unknownKey, "\"path\"")),
        when(#""not": { "not": { "x": 1 } }"#, (19, .unknownKey, "there are \"connectivity\"")),
    ]

    @Test("syntax errors and semantic errors", arguments: syntax + meaning)
    func problems(_ row: Row) {
        do throws(RulesFileError) {
            _ = try RuleList(json: row.json)
            Issue.record("\(row.json) was taken")
        } catch {
            #expect(error.problems.count == row.problems.count, "\(error)")
            for (problem, expected) in zip(error.problems, row.problems) {
                #expect(problem.line == expected.line && problem.column == expected.column, "\(problem)")
                #expect(problem.code == expected.code, "\(problem)")
                #expect(problem.message.contains(expected.words), "\(problem)")
            }
        }
    }

    @Test("all errors of a file are reported, in its order")
    func all() {
        let json = """
            {
              "rules": [
                { "name": "One", "verdict": "bypass" },
                { "name": "two", "verdict": "fresh", "for": "x", "when": { "hots": 1 } },
                { "name": "two", "verdict": "bypass" }
              ]
            }
            """
        #expect {
            try RuleList(json: json)
        } throws: { error in
            "\(error)" == """
                3:15: A rule's name has 1 to 64 lower-case letters, digits and hyphens, as in "api-path".
                4:49: This is not a duration; write it like "90s", "10m", "1h30m" or "7d", at most 2147483648 seconds.
                4:64: There is no key "hots" in a condition; did you mean "host"?
                5:15: There is already a rule "two", in line 4; choose another name, or leave an included one out by \
                "without".
                """
        }
    }

    @Test("octets that are not UTF-8 are reported with their position")
    func unicode() {
        for (bytes, column) in [([0xFF], 12), ([0xC3], 12), ([0x61, 0xED, 0xA0, 0x80], 13)] as [([UInt8], Int)] {
            let json = Array("{ \"rules\": ".utf8) + bytes + Array("[] }".utf8)
            #expect {
                try RuleList(json: json)
            } throws: { error in
                let problem = (error as? RulesFileError)?.problems.first
                return problem?.code == .notUnicode && problem?.line == 1 && problem?.column == column
            }
        }
    }

    @Test("a byte order mark is ignored (RFC 8259 §8.1)")
    func byteOrderMark() throws {
        #expect(try RuleList(json: [0xEF, 0xBB, 0xBF] + Array(#"{"rules":[]}"#.utf8)).rules.isEmpty)
    }

    @Test("patterns, rules and problems are limited in number")
    func limits() throws {
        func file(_ count: Int, _ members: String) -> String {
            "{ \"rules\": [" + (0..<count).map { "{ \"name\": \"r\($0)\", \(members) }" }.joined(separator: ",") + "] }"
        }
        func codes(_ json: String) -> [RulesFileError.Code] {
            do throws(RulesFileError) {
                _ = try RuleList(json: json)
                return []
            } catch {
                return error.problems.map(\.code)
            }
        }
        let glob = "\"/*" + String(repeating: "a*", count: 499) + "\""
        let large = "\"verdict\": \"bypass\", \"when\": { \"path\": \(glob) }"
        #expect(codes(file(10, large)) == [])
        #expect(codes(file(12, large)) == [.tooLarge])
        for pattern in [glob, "\"/{a,b}{a,b}{a,b}{a,b}{a,b}\""] {
            let many = (0..<1_000).map { _ in pattern }.joined(separator: ",")
            #expect(codes(file(1, "\"verdict\": \"bypass\", \"when\": { \"path\": [\(many)] }")) == [.tooLarge])
        }
        let names = (0..<800).map { _ in "\"" + String(repeating: "a*", count: 500) + "\"" }.joined(separator: ",")
        #expect(codes("{ \"rules\": [], \"keys\": [{ \"name\": \"k\", \"drop-query\": [\(names)] }] }") == [.tooLarge])
        #expect(codes(file(1_000, #""verdict": "bypass""#)) == [])
        #expect(codes(file(1_001, #""verdict": "bypass""#)) == [.tooLarge])
        #expect(codes(file(900, #""verdict": "x""#)).count == 100)
    }

    struct Long: Sendable, CustomTestStringConvertible {
        var beginning: String
        /// Repeated, each time with another number in the place of `#`.
        var piece: String
        var end: String
        var testDescription: String { piece }
    }

    /// Quadratic work on a file of the greatest size takes many times the limit, linear work a fraction of it.
    @Test(
        "a file is read in time proportional to its length", .timeLimit(.minutes(10)),
        arguments: [
            Long(
                beginning: #"{"rules":[{"name":"r","verdict":"bypass","when":{"request-header":{"#,
                piece: ##""f#":true,"##, end: #""f":true}}}]}"#),
            // For each that is refused, the line of the first is told.
            Long(
                beginning: String(repeating: "\n", count: 500_000) + #"{"rules":["#,
                piece: #"{"name":"r","verdict":"bypass"},"#, end: "{}]}"),
            // The second of them brings nothing any more.
            Long(
                beginning: #"{"rules":["#, piece: #"{"include":"web-view-safeguards"},"#,
                end: #"{"name":"r","verdict":"bypass"}]}"#),
        ])
    func linear(_ row: Long) {
        var json = row.beginning
        var number = 0
        while json.utf8.count < (1 << 20) - 100 {
            json += row.piece.replacing("#", with: String(number))
            number += 1
        }
        do throws(RulesFileError) {
            let isIncluding = row.piece.contains("include")
            let expected = 1 + (isIncluding ? RuleList.webViewSafeguards.rules.count : 0)
            #expect(try RuleList(json: json + row.end).rules.count == expected)
        } catch {
            #expect(error.problems.count == 100)
        }
    }

    @Test("a truncated or changed file is accepted or refused, and nothing else happens", arguments: 0..<30)
    func damaged(_ seed: Int) throws {
        var random = SplitMix64(seed: seed)
        let text = Array(try RuleList.webViewDefaults.json().utf8)
        for _ in 0..<20 {
            var damaged = text
            for _ in 0..<(1 + random.below(3)) {
                let place = random.below(damaged.count)
                damaged[place] = random.pick([0x22, 0x7B, 0x5D, 0x5C, 0x00, 0xFF, 0x2A, 0x28, UInt8(random.below(256))])
            }
            do throws(RulesFileError) {
                _ = try RuleList(json: damaged)
            } catch {
                #expect(error.problems.allSatisfy { $0.line != nil && $0.column != nil })
                #expect(!error.problems.isEmpty)
            }
        }
    }
}
