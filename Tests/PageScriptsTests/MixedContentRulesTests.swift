import Foundation
import Testing

@testable import PageScripts

@Suite("Rules against mixed content")
struct MixedContentRulesTests {
    private struct Rule: Decodable {
        struct Trigger: Decodable {
            var filter: String
            var types: [String]
            var top: [String]?
            var frame: [String]?

            enum CodingKeys: String, CodingKey {
                case filter = "url-filter", types = "resource-type", top = "if-top-url", frame = "if-frame-url"
            }
        }
        struct Action: Decodable { var type: String }
        var trigger: Trigger
        var action: Action
    }

    /// What comes of a URL, as WebKit applies rules: all that match, but for those before `ignore-previous-rules`.
    private static func outcome(_ url: String, _ type: String) throws -> String {
        var actions: [String] = []
        for rule in try JSONDecoder().decode([Rule].self, from: Data(MixedContentRules.ofPages.utf8))
        where rule.trigger.types.contains(type) {
            guard try url.firstMatch(of: Regex(rule.trigger.filter).ignoresCase()) != nil else { continue }
            if rule.action.type == "ignore-previous-rules" { actions = [] } else { actions.append(rule.action.type) }
        }
        return actions.contains("block") ? "blocked" : actions.contains("make-https") ? "upgraded" : "as it is"
    }

    static let rows: [(url: String, type: String, outcome: String)] = [
        ("http://cdn.test/a", "script", "blocked"), ("http://cdn.test/a", "fetch", "blocked"),
        ("http://cdn.test/a", "child-document", "blocked"), ("ws://cdn.test/", "websocket", "blocked"),
        ("wss://cdn.test/", "websocket", "as it is"), ("https://cdn.test/http://a/", "script", "as it is"),
        ("http://cdn.test/a", "image", "upgraded"), ("http://cdn.test/a.mp4", "media", "upgraded"),
        ("https://cdn.test/a", "image", "as it is"), ("http://cdn.test:8080/a", "image", "blocked"),
        ("http://192.0.2.1/a", "image", "blocked"), ("http://u:p@192.0.2.1/a", "image", "blocked"),
        ("http://127.0.0.1/a", "image", "as it is"), ("http://127.0.0.1:8080/a.mp4", "media", "blocked"),
        ("http://127.9.8.7/a", "image", "as it is"), ("http://localhost/a", "image", "as it is"),
        ("http://app.localhost:3000/a", "image", "as it is"), ("http://127.0.0.1/a", "fetch", "blocked"),
        ("http://localhost/a", "script", "blocked"), ("ws://localhost/", "websocket", "blocked"),
        // Not loopback.
        ("http://127.0.0.1@cdn.test/a", "image", "upgraded"), ("http://localhost:1@cdn.test/a", "image", "upgraded"),
        ("http://127.0.0.1.cdn.test/a", "image", "upgraded"), ("http://cdn.test/127.0.0.1/", "image", "upgraded"),
        ("http://localhost.cdn.test/a", "image", "upgraded"), ("http://cdn.test:80@x.localhost/a", "image", "upgraded"),
        ("http://cdn.test:8080/x.localhost/", "image", "blocked"), ("http://xlocalhost/a", "image", "upgraded"),
        // Captions are media.
        ("https://bank.test/captions", "media", "blocked"), ("https://bank.test/c.vtt?a.mp4", "media", "blocked"),
        ("https://bank.test/c.vtt#a.mp4", "media", "blocked"), ("http://127.0.0.1/c.vtt", "media", "blocked"),
        ("https://film.mp4/c", "media", "blocked"), ("https://cdn.test/a.MP4", "media", "as it is"),
        ("https://cdn.test/a.mp4?b", "media", "as it is"), ("https://cdn.test/b.mp3#t=1", "media", "as it is"),
        ("app-cache-https://shop.test/c.vtt", "media", "as it is"), ("blob:https://cdn.test/a", "media", "as it is"),
    ]

    @Test("what comes of each URL", arguments: rows)
    func outcomes(_ row: (url: String, type: String, outcome: String)) throws {
        #expect(try Self.outcome(row.url, row.type) == row.outcome)
    }

    @Test("they hold for pages of the scheme, and for its documents in frames, alone")
    func conditions() throws {
        for (text, isOfPages) in [(MixedContentRules.ofPages, true), (MixedContentRules.ofFrames, false)] {
            for rule in try JSONDecoder().decode([Rule].self, from: Data(text.utf8)) {
                #expect((isOfPages ? rule.trigger.top : rule.trigger.frame) == ["^app-cache-https:"])
                #expect((isOfPages ? rule.trigger.frame : rule.trigger.top) == nil)
                // What replaces the page, or opens a window, is no part of it (Mixed Content §4.3).
                #expect(Set(rule.trigger.types).isDisjoint(with: ["document", "top-document", "popup"]))
            }
        }
    }
}
