import CacheTesting
import CachingProxy
import Foundation
import Testing

/// A user name and password in the address that `larder open` is given.
@Suite("A site behind a password", .serialized, .timeLimit(.minutes(10)))
struct SitePasswordTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// Lets in "ursula" with the password "open sesame"; its page shows what it can see of that.
    private func origin(_ tls: (certificatePEM: String, keyPEM: String)) async throws -> PageOrigin {
        try await PageOrigin.start(tls: tls) { request in
            guard request.fields["Authorization"] == ["Basic dXJzdWxhOm9wZW4gc2VzYW1l"] else {
                return .init(
                    status: 401,
                    fields: ["Content-Type": "text/html", "WWW-Authenticate": "Basic realm=\"staging\""],
                    body: "<!doctype html><title>Who are you?</title>")
            }
            return request.path == "/"
                ? .page("In", "In<script src=/app.js></script>")
                : .init(
                    fields: ["Content-Type": "text/javascript"],
                    body: "document.title += /sesame|ursula/.test(document.URL) ? ', told' : ', not told'")
        }
    }

    @Test(
        "larder open shows it in each mode, and neither its page nor what is said of it names the password",
        arguments: [
            ("proxy", "In, not told: opened"),
            // Nothing tells who asks for a script there, so it goes without the password.
            ("appScheme", "In: opened, but without https://shop.test/app.js"),
        ])
    func open(_ mode: String, _ said: String) async throws {
        let authority = try CertificateAuthority(directory: folder.path + "/origin")
        let origin = try await origin(try authority.makeIdentity(names: ["shop.test"]))
        let call = [
            "open", "https://ursula:open%20sesame@shop.test/", "--through", mode, "--store", folder.store,
            "--resolve", "shop.test:443:127.0.0.1:\(origin.port)", "--origin-ca", folder.path + "/origin/ca.pem",
        ]
        let words = try await ToolProcess.run(ToolProcess.larder, call)
        #expect(words.status == 0 && words.out.contains(said), "\(words)")
        let json = try await ToolProcess.run(ToolProcess.larder, call + ["--json"])
        for output in [words, json] {
            #expect(!output.out.contains("sesame") && !output.out.contains("dXJzdWxhOm9wZW4gc2VzYW1l"), "\(output)")
        }
        let wrong = try await ToolProcess.run(
            ToolProcess.larder, call.map { $0.replacingOccurrences(of: "open%20sesame", with: "no") })
        #expect(wrong.status == 1 && wrong.out.contains("401"), "\(wrong)")
        await origin.stop()
    }

    @Test("what can't be sent is refused")
    func refused() async throws {
        let output = try await ToolProcess.run(ToolProcess.larder, ["open", "https://a%3Ab:c@shop.test/"])
        #expect(output.status != 0 && output.err.contains("can't be sent"), "\(output)")
    }
}
