import HTTPTypes
import Testing

@testable import Interception

@Suite("What the injected script says of a request")
struct BodyHookTests {
    private static let hook = BodyHook(token: "t0k3n", schemes: ["https", "http"])
    /// What `Accept` holds, what the script said, and what is left for the server.
    static let rows: [(accept: String, mark: BodyHook.Mark?, left: String)] = [
        ("larder/t0k3n", .init(), "*/*"),
        ("*/*, larder/t0k3n", .init(), "*/*"),
        ("text/x;q=1, larder/t0k3n;credentials=include", .init(credentials: .include), "text/x;q=1"),
        (
            "larder/t0k3n;credentials=omit;redirect=error", .init(credentials: .omit, redirect: .error), "*/*"
        ),
        (
            "larder/t0k3n;credentials=same-origin;redirect=manual,a/b",
            .init(credentials: .sameOrigin, redirect: .manual), "a/b"
        ),
        ("larder/t0k3n;redirect=sideways", .init(), "*/*"),
        // A page that does not know the token says nothing, and no longer word is the token.
        ("*/*, larder/token;credentials=include", nil, "*/*, larder/token;credentials=include"),
        ("larder/t0k3n2", nil, "larder/t0k3n2"),
        // What a page writes before the script's own mark does not count.
        ("larder/t0k3n;redirect=follow, larder/t0k3n;redirect=error", .init(redirect: .error), "*/*"),
    ]

    @Test("the mark is read and taken off", arguments: rows)
    func mark(_ row: (accept: String, mark: BodyHook.Mark?, left: String)) {
        var fields = HTTPFields()
        fields[.accept] = row.accept
        #expect(Self.hook.takeMark(from: &fields) == row.mark)
        #expect(fields[.accept] == row.left)
    }

    @Test("without Accept there is no mark")
    func absent() {
        var fields = HTTPFields()
        #expect(Self.hook.takeMark(from: &fields) == nil)
        #expect(fields.isEmpty)
    }

    @Test("the script marks requests of the handler's schemes only")
    func schemes() {
        #expect(Self.hook.script.hasSuffix("('larder/t0k3n', ['https:', 'http:']);"))
        #expect(
            BodyHook(token: "a", schemes: ["app-cache-https"]).script.hasSuffix("('larder/a', ['app-cache-https:']);"))
    }
}
