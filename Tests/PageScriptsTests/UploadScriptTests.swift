import HTTPTypes
import Testing

@testable import PageScripts
@testable import WebTesting

@Suite("What the injected script says of a request")
struct UploadScriptTests {
    private static let hook = UploadScript(token: "t0k3n", schemes: ["https", "http"])
    /// What `Accept` holds, what the script said, and what is left for the server.
    static let rows: [(accept: String, mark: UploadScript.Mark?, left: String)] = [
        ("larder/t0k3n", .init(), "*/*"),
        ("*/*, larder/t0k3n", .init(), "*/*"),
        ("text/x;q=1, larder/t0k3n;credentials=include", .init(options: .init(credentials: .include)), "text/x;q=1"),
        (
            "larder/t0k3n;credentials=omit;redirect=error", .init(options: .init(credentials: .omit, redirect: .error)),
            "*/*"
        ),
        (
            "larder/t0k3n;credentials=same-origin;redirect=manual,a/b",
            .init(options: .init(credentials: .sameOrigin, redirect: .manual)), "a/b"
        ),
        ("larder/t0k3n;redirect=sideways", .init(), "*/*"),
        (
            "larder/t0k3n;timeout=200;cache=no-store",
            .init(options: .init(cacheMode: .noStore, timeout: .milliseconds(200))), "*/*"
        ),
        ("larder/t0k3n;timeout=99999999999999999999;cache=x", .init(), "*/*"),
        (
            "larder/t0k3n;keepalive=1;policy=origin", .init(options: .init(referrerPolicy: .origin, isKeepalive: true)),
            "*/*"
        ),
        // A page that does not know the token says nothing, and no longer word is the token.
        ("*/*, larder/token;credentials=include", nil, "*/*, larder/token;credentials=include"),
        ("larder/t0k3n2", nil, "larder/t0k3n2"),
        // What a page writes before the script's own mark does not count.
        ("larder/t0k3n;redirect=follow, larder/t0k3n;redirect=error", .init(options: .init(redirect: .error)), "*/*"),
    ]

    @Test("the mark is read and taken off", arguments: rows)
    func mark(_ row: (accept: String, mark: UploadScript.Mark?, left: String)) {
        var fields = HTTPFields()
        fields[.accept] = row.accept
        #expect(Self.hook.takeMark(from: &fields) == row.mark)
        #expect(fields[.accept] == row.left)
    }

    @Test("behind a URL only the mark of an EventSource counts, and only where an event stream is asked for")
    func fragment() throws {
        // As the script is told.
        let source = try #require(
            Self.hook.script.split(separator: "'").map(String.init).last { $0.hasPrefix("source-") })
        let stream = "text/event-stream"
        let rows: [(fragment: String, accept: String, mark: UploadScript.Mark?, isLeft: Bool)] = [
            ("\(source);by=eventSource", stream, .init(concern: .eventSource), false),
            (
                "\(source);by=eventSource;credentials=include", stream,
                .init(options: .init(credentials: .include), concern: .eventSource), false
            ),
            ("\(source);by=eventSource;redirect=manual;other=1", stream, .init(concern: .eventSource), false),
            ("\(source);by=eventSource", "image/png,*/*;q=0.8", nil, false),
            ("\(source);by=eventSource", "\(stream), */*", nil, false),
            ("\(source);by=xhr", stream, nil, false),
            ("larder/t0k3n;by=eventSource", stream, nil, true),
            ("source-other;by=eventSource", stream, nil, true), ("part", stream, nil, true),
        ]
        for row in rows {
            var url = "https://a.test/e?x#\(row.fragment)"
            let mark = Self.hook.takeMark(from: &url, [.accept: row.accept])
            #expect(mark == row.mark, "\(row.fragment)")
            #expect(url == "https://a.test/e?x" + (row.isLeft ? "#\(row.fragment)" : ""))
        }
        var plain = "https://a.test/"
        #expect(Self.hook.takeMark(from: &plain, [.accept: stream]) == nil && plain == "https://a.test/")
        #expect(!source.contains("t0k3n") && UploadScript(token: "t0k3n", schemes: []).script.contains(source) == false)
    }

    @Test("the mark says what a request has to do with an upload in pieces")
    func uploads() throws {
        let id = try #require(UploadID("abcdefgh01234567"))
        let name = id.text
        let rows: [(said: String, part: UploadPart?)] = [
            ("begin=\(name);length=9", .begin(id, length: 9, isForm: false)),
            ("begin=\(name);length=9;form=1", .begin(id, length: 9, isForm: true)),
            ("begin=\(name);length=9;form=held", .hold(id, length: 9)),
            ("begin=\(name);form=held", .hold(id, length: 0)),
            ("begin=\(name);length=99999999999999999999", .begin(id, length: 0, isForm: false)),
            ("begin=\(name);whole=1", .follow(id)),
            ("piece=3;upload=\(name)", .piece(id, number: 3)),
            ("piece=x;upload=\(name)", .piece(id, number: -1)),
            ("failed=\(name)", .failure(id)),
            ("credentials=omit;upload=\(name)", .content(id)),
            ("upload=\(name)0", nil),
            ("upload", nil),
        ]
        for row in rows {
            var fields: HTTPFields = [.accept: "larder/t0k3n;\(row.said)"]
            #expect(try #require(Self.hook.takeMark(from: &fields)).upload == row.part, "\(row.said)")
        }
    }

    @Test("without Accept there is no mark")
    func absent() {
        var fields = HTTPFields()
        #expect(Self.hook.takeMark(from: &fields) == nil)
        #expect(fields.isEmpty)
    }

    private static let leftOut =
        "({__proto__: null, 'a.test': {__proto__: null, fetch: true, xhr: true}})"
        + "[location.host || origin.slice(origin.indexOf('//') + 2)] ?? {__proto__: null}"

    @Test("the script is told of the handler's schemes, and of what is left out on a host's pages")
    func schemes() {
        #expect(Self.hook.script.contains("('larder/t0k3n', 'source-"))
        #expect(
            Self.hook.script.hasSuffix(
                "', '\(Self.hook.redirectMark)', 'X-Larder-Own', ['https:', 'http:'], {__proto__: null});\n}"
            ))
        let other = UploadScript(token: "a", schemes: ["app-cache-https"], unpatched: ["a.test": [.xhr, .fetch]])
        #expect(other.redirectMark != Self.hook.redirectMark)
        #expect(
            other.script.hasSuffix(
                "', '\(other.redirectMark)', 'X-Larder-Own', ['app-cache-https:'], \(Self.leftOut));\n}"))
    }

    @Test("the mark says which concern a request is of, and which one had a fault")
    func concerns() {
        for concern in PagePatch.allCases {
            var fields: HTTPFields = [.accept: "larder/t0k3n;by=\(concern.rawValue)"]
            #expect(Self.hook.takeMark(from: &fields) == .init(concern: concern))
            fields = [.accept: "larder/t0k3n;fault=\(concern.rawValue)"]
            #expect(Self.hook.takeMark(from: &fields) == .init(fault: concern))
        }
    }
}
