import CacheTesting
import CachingProxy
import Foundation
import Testing
import WireSupport

/// `larder proxy` as a process, asked by curl.
@Suite("larder proxy")
struct ProxyTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private var store: [String] { ["--store", folder.store] }

    private func fields(_ output: ToolProcess.Output, _ name: String) -> String? {
        output.out.split(whereSeparator: \.isNewline).first { $0.lowercased().hasPrefix(name.lowercased() + ": ") }
            .map { String($0.dropFirst(name.count + 2)) }
    }

    @Test("plain http: stored at first, then a hit without the origin, also after a restart")
    func plainHTTP() async throws {
        let origin = try await ScriptedOrigin.start()
        var proxy = try RunningProxy(store + ["--no-auth"])
        let url = "http://127.0.0.1:\(origin.port)/fixed"
        let first = try await ToolProcess.curl(["-i", "-x", proxy.address, url])
        #expect(fields(first, "Cache-Status") == "Larder; fwd=uri-miss; stored")
        let second = try await ToolProcess.curl(["-i", "-x", proxy.address, url])
        #expect(fields(second, "Cache-Status")?.hasPrefix("Larder; hit; ttl=") == true)
        #expect(fields(second, "Age") != nil)
        proxy.stop()
        await origin.stop()
        proxy = try RunningProxy(store + ["--no-auth"])
        let third = try await ToolProcess.curl(["-i", "-x", proxy.address, url])
        #expect(fields(third, "Cache-Status")?.hasPrefix("Larder; hit") == true)
        #expect(third.out.split(separator: "\r\n\r\n").last == first.out.split(separator: "\r\n\r\n").last)
    }

    @Test("reverse mode answers in the origin's place and asks for no credentials")
    func reverse() async throws {
        let origin = try await ScriptedOrigin.start()
        let proxy = try RunningProxy(store + ["--reverse", "http://127.0.0.1:\(origin.port)"])
        let first = try await ToolProcess.curl([proxy.address + "/fixed"])
        let second = try await ToolProcess.curl(["-i", proxy.address + "/fixed"])
        #expect(second.out.hasSuffix(first.out))
        #expect(fields(second, "Cache-Status")?.hasPrefix("Larder; hit") == true)
    }

    @Test("an allow-listed host is intercepted with a leaf of the directory's authority, over TLS 1.3")
    func intercepted() async throws {
        let other = try CertificateAuthority(directory: folder.path + "/other")
        let origin = try await ScriptedOrigin.start(tls: try other.makeIdentity(names: ["shop.test"]))
        let proxy = try RunningProxy(
            store + [
                "--no-auth", "--origin-ca", folder.path + "/other/ca.pem", "--resolve",
                "shop.test:443:127.0.0.1:\(origin.port)", "--intercept-tls", "shop.test",
            ])
        let call = ["-v", "-i", "-x", proxy.address, "--cacert", folder.path + "/store/authority/ca.pem"]
        _ = try await ToolProcess.curl(call + ["https://shop.test/fixed"])
        let hit = try await ToolProcess.curl(call + ["https://shop.test/fixed"])
        #expect(fields(hit, "Cache-Status")?.hasPrefix("Larder; hit") == true)
        #expect(hit.err.contains("TLSv1.3"))
        let key = try FileManager.default.attributesOfItem(atPath: folder.path + "/store/authority/ca-key.pem")
        #expect((key[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    @Test("every other host is tunnelled unread: the client meets the origin's own certificate")
    func tunnelled() async throws {
        let other = try CertificateAuthority(directory: folder.path + "/other")
        let origin = try await ScriptedOrigin.start(tls: try other.makeIdentity(names: ["bank.test"]))
        let proxy = try RunningProxy(
            store + [
                "--no-auth", "--resolve", "bank.test:443:127.0.0.1:\(origin.port)", "--intercept-tls", "shop.test",
            ])
        let answer = try await ToolProcess.curl([
            "-i", "-x", proxy.address, "--cacert", folder.path + "/other/ca.pem", "https://bank.test/fixed",
        ])
        #expect(answer.status == 0)
        #expect(fields(answer, "Cache-Status") == nil)
    }

    @Test("without the printed credentials nothing is served, plain or CONNECT", arguments: ["", "larder:wrong@"])
    func credentials(_ user: String) async throws {
        let origin = try await ScriptedOrigin.start()
        let proxy = try RunningProxy(store)
        let bare = proxy.address.replacing(#/larder:[0-9a-f]{32}@/#, with: user)
        #expect(bare != proxy.address)
        let refused = try await ToolProcess.curl(["-i", "-x", bare, "http://127.0.0.1:\(origin.port)/fixed"])
        #expect(refused.out.hasPrefix("HTTP/1.1 407"))
        let tunnel = try await ToolProcess.curl(["-x", bare, "https://127.0.0.1:\(origin.port)/fixed"])
        #expect(tunnel.err.contains("407"))
        let served = try await ToolProcess.curl(["-i", "-x", proxy.address, "http://127.0.0.1:\(origin.port)/fixed"])
        #expect(served.out.hasPrefix("HTTP/1.1 200"))
    }

    @Test("without credentials a CORS preflight passes, never from the store, and nothing that looks like one")
    func preflight() async throws {
        let origin = try await ScriptedOrigin.start()
        let proxy = try RunningProxy(store)
        let bare = proxy.address.replacing(#/larder:[0-9a-f]{32}@/#, with: "")
        let url = "http://127.0.0.1:\(origin.port)/fixed"
        let ask = ["-H", "Origin: http://a.test", "-H", "Access-Control-Request-Method: PUT"]
        for _ in 1...2 {
            let passed = try await ToolProcess.curl(["-i", "-x", bare, "-X", "OPTIONS", url] + ask)
            #expect(passed.out.hasPrefix("HTTP/1.1 200"))
            #expect(fields(passed, "Cache-Status")?.contains("fwd=method") == true)
        }
        let unlike = [["-X", "OPTIONS"], ask, ["-X", "OPTIONS", "--data", "x"] + ask]
        for arguments in unlike {
            let refused = try await ToolProcess.curl(["-i", "-x", bare, url] + arguments)
            #expect(refused.out.hasPrefix("HTTP/1.1 407"), "\(arguments)")
        }
    }

    @Test("credentials, hop-by-hop fields and fields nominated by Connection never reach the origin (RFC 9110 §7.6.1)")
    func nothingLeaks() async throws {
        let listener = try await RawOrigin.start(answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        let proxy = try RunningProxy(store)
        _ = try await ToolProcess.curl([
            "-x", proxy.address, "-H", "Connection: X-Secret", "-H", "X-Secret: 1", "-H", "TE: trailers",
            "http://127.0.0.1:\(listener.port)/",
        ])
        let seen = listener.received.lowercased()
        #expect(seen.hasPrefix("get / http/1.1\r\n"))
        #expect(seen.contains("\r\nhost: 127.0.0.1:\(listener.port)\r\n"))
        for name in ["proxy-authorization", "proxy-connection", "x-secret", "\r\nte:", "\r\nconnection"] {
            #expect(!seen.contains(name), "\(name)")
        }
        #expect(seen.contains("via: 1.1 larder-"))
    }

    @Test("interim responses are passed on (RFC 9110 §15.2)")
    func earlyHints() async throws {
        let origin = try await ScriptedOrigin.start()
        let proxy = try RunningProxy(store + ["--no-auth"])
        let answer = try await ToolProcess.curl(["-i", "-x", proxy.address, "http://127.0.0.1:\(origin.port)/hints"])
        #expect(answer.out.contains("HTTP/1.1 103"))
        #expect(answer.out.contains("after the hints"))
    }

    @Test("a bad origin certificate is an error page that says so, never a page", arguments: ["unknown", "other name"])
    func badCertificate(_ what: String) async throws {
        let other = try CertificateAuthority(directory: folder.path + "/other")
        let names = what == "unknown" ? ["shop.test"] : ["elsewhere.test"]
        let origin = try await ScriptedOrigin.start(tls: try other.makeIdentity(names: names))
        let trust = what == "unknown" ? [] : ["--origin-ca", folder.path + "/other/ca.pem"]
        let proxy = try RunningProxy(
            store + trust + [
                "--no-auth", "--resolve", "shop.test:443:127.0.0.1:\(origin.port)", "--intercept-tls", "shop.test",
            ])
        let answer = try await ToolProcess.curl([
            "-i", "-x", proxy.address, "--cacert", folder.path + "/store/authority/ca.pem", "-H",
            "Sec-Fetch-Dest: document", "https://shop.test/fixed",
        ])
        #expect(answer.out.contains("HTTP/2 502"))
        #expect(fields(answer, "Cache-Status")?.contains("detail=origin-certificate") == true)
        #expect(answer.out.contains("is not trusted"))
    }

    @Test("a request for another host inside an intercepted connection is misdirected (RFC 9110 §7.4)")
    func misdirected() async throws {
        let proxy = try RunningProxy(store + ["--no-auth", "--intercept-tls", "shop.test"])
        let answer = try await ToolProcess.curl([
            "-i", "-x", proxy.address, "--cacert", folder.path + "/store/authority/ca.pem", "-H", "Host: bank.test",
            "https://shop.test/",
        ])
        #expect(answer.out.contains("HTTP/2 421"))
    }

    @Test(
        "so is one whose target names another host or scheme, whatever its Host says (RFC 9112 §3.2.2)",
        arguments: ["https://bank.test/", "http://shop.test/", "https://shop.test:8443/"])
    func misdirectedTarget(_ target: String) async throws {
        let proxy = try RunningProxy(store + ["--no-auth", "--intercept-tls", "shop.test"])
        let answer = try await ToolProcess.curl([
            "-i", "--http1.1", "-x", proxy.address, "--cacert", folder.path + "/store/authority/ca.pem",
            "--request-target", target,
            "https://shop.test/",
        ])
        #expect(answer.out.contains("HTTP/1.1 421"))
    }

    @Test("a target in absolute form for the connection's own host is served, and Host does not count")
    func ownTarget() async throws {
        let other = try CertificateAuthority(directory: folder.path + "/other")
        let origin = try await ScriptedOrigin.start(tls: try other.makeIdentity(names: ["shop.test"]))
        let proxy = try RunningProxy(
            store + [
                "--no-auth", "--origin-ca", folder.path + "/other/ca.pem", "--resolve",
                "shop.test:443:127.0.0.1:\(origin.port)", "--intercept-tls", "shop.test",
            ])
        let answer = try await ToolProcess.curl([
            "-i", "--http1.1", "-x", proxy.address, "--cacert", folder.path + "/store/authority/ca.pem",
            "--request-target",
            "https://shop.test/fixed", "-H", "Host: bank.test", "https://shop.test/fixed",
        ])
        #expect(answer.out.contains("fixed "))
    }

    @Test(
        "content that ends with the connection is whole for the client, and not stored, where no closure alert came (RFC 9112 §9.8)"
    )
    func unverifiedEnd() async throws {
        let other = try CertificateAuthority(directory: folder.path + "/other")
        let origin = try await ScriptedOrigin.start(tls: try other.makeIdentity(names: ["shop.test"]))
        let proxy = try RunningProxy(
            store + [
                "--no-auth", "--origin-ca", folder.path + "/other/ca.pem", "--resolve",
                "shop.test:443:127.0.0.1:\(origin.port)", "--intercept-tls", "shop.test",
            ])
        var bodies: Set<String> = []
        for _ in 0..<2 {
            let answer = try await ToolProcess.curl([
                "-s", "-f", "-x", proxy.address, "--cacert", folder.path + "/store/authority/ca.pem",
                "https://shop.test/unended",
            ])
            #expect(answer.status == 0)
            #expect(answer.out.hasPrefix("unended "))
            bodies.insert(answer.out)
        }
        #expect(bodies.count == 2)
    }

    @Test("an origin with nothing newer than TLS 1.1 is an error page, not one that looks like TLS 1.3 (RFC 8996)")
    func oldTLS() async throws {
        let other = try CertificateAuthority(directory: folder.path + "/other")
        let origin = try await ScriptedOrigin.start(
            tls: try other.makeIdentity(names: ["shop.test"]), upTo: .tlsv11)
        let proxy = try RunningProxy(
            store + [
                "--no-auth", "--origin-ca", folder.path + "/other/ca.pem", "--resolve",
                "shop.test:443:127.0.0.1:\(origin.port)", "--intercept-tls", "shop.test",
            ])
        let answer = try await ToolProcess.curl([
            "-i", "-x", proxy.address, "--cacert", folder.path + "/store/authority/ca.pem", "https://shop.test/fixed",
        ])
        #expect(answer.out.contains("HTTP/2 502"))
        #expect(!answer.out.contains("fixed "))
    }

    @Test(
        "CONNECT to what is no host name is refused, and no certificate made for it",
        arguments: ["*.shop.test", "a..shop.test", "shop%2Etest", "[1::2::3]", "x y"])
    func noHost(_ name: String) async throws {
        let proxy = try RunningProxy(store + ["--no-auth", "--intercept-tls", "*.shop.test", "*.test"])
        let port = Int(proxy.address.split(separator: ":").last ?? "") ?? 0
        let text = try await WireClient.exchange(
            "CONNECT \(name):443 HTTP/1.1\r\nHost: shop.test\r\n\r\n", port: port)
        #expect(text.hasPrefix("HTTP/1.1 400"), "\(text)")
    }

    @Test("a preflight without credentials opens no tunnel by asking for an upgrade")
    func preflightUpgrade() async throws {
        let switching = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
        let origin = try await WireOrigin.start(answer: switching)
        let proxy = try RunningProxy(store)
        let port = Int(proxy.address.split(separator: ":").last ?? "") ?? 0
        let ask = { (method: String) in
            "\(method) http://127.0.0.1:\(origin.port)/live HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\n"
                + "Origin: http://a.test\r\nAccess-Control-Request-Method: PUT\r\n"
                + "Connection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n"
        }
        // As an ordinary request it meets an origin that switches unasked.
        #expect(WireResponse(try await WireClient.exchange(ask("OPTIONS"), port: port))?.status == 502)
        #expect(origin.received.joined().contains("Upgrade:") == false)
        #expect(WireResponse(try await WireClient.exchange(ask("GET"), port: port))?.status == 407)
    }

    @Test("TLS sessions are resumed (RFC 8446 §2.2)")
    func resumption() async throws {
        let proxy = try RunningProxy(store + ["--no-auth", "--intercept-tls", "shop.test"])
        let ticket = folder.path + "/ticket"
        let client = """
            printf 'GET / HTTP/1.1\r\nHost: shop.test\r\nConnection: close\r\n\r\n' |
            openssl s_client -ign_eof -proxy \(proxy.address.dropFirst(7)) -connect shop.test:443 \
            -servername shop.test -CAfile \(folder.path)/store/authority/ca.pem
            """
        let first = try await ToolProcess.run("/bin/sh", ["-c", client + " -sess_out \(ticket)"])
        #expect(first.out.contains("New, TLSv1.3"))
        let second = try await ToolProcess.run("/bin/sh", ["-c", client + " -sess_in \(ticket)"])
        #expect(second.out.contains("Reused, TLSv1.3"))
    }
}
