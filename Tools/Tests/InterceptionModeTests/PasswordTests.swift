import Foundation
import Testing

/// Servers that ask for a password, as WebKit's own network and pages of scheme handlers find them.
///
/// Not in the proxy mode: WebKitGTK 2.50 does not always try the password of an `XMLHttpRequest` where the proxy has
/// asked for one as well.
@Suite("Passwords of sites, in a real web view", .serialized, .timeLimit(.minutes(10)))
struct PasswordTests {
    /// What differs from WebKit's own network, and why.
    private static let differences = [
        // Fetch §4.6: an entry is used only where the request has no `Authorization`.
        "fetch, signed in: its own Authorization": "401"
    ]
    /// Nothing tells who asks for these at the app-cache scheme, so they go without cookies and passwords.
    private static let ofStrangers = [
        "img, signed in": "error", "worker, signed in": "no entry", "img with user and password in its URL": "error",
    ]

    private static let script = """
        await element('script', {src: '/authentication.js'});
        return {expected: Object.fromEntries(kinds.map(({name, expected}) => [name, expected])), seen: await measure([])};
        """

    private struct Answer: Decodable {
        var expected: [String: String]
        var seen: [String: String]
    }

    @Test(
        "each kind of load is let in, or not, as WebKit's own network has it",
        arguments: [MatrixMode.network, .httpsScheme, .appScheme])
    func kinds(_ mode: MatrixMode) async throws {
        let stage = try await MatrixStage()
        let (text, notices) = try await stage.run(mode, Self.script)
        await stage.stop()
        let answer = try JSONDecoder().decode(Answer.self, from: Data(text.utf8))
        #expect(notices.isEmpty && answer.expected.count == 20)
        for (name, expected) in answer.expected {
            let stranger = mode == .appScheme ? Self.ofStrangers[name] : nil
            let different = mode == .network ? nil : stranger ?? Self.differences[name]
            #expect(answer.seen[name] == different ?? expected, "\(name)")
        }
    }
}
