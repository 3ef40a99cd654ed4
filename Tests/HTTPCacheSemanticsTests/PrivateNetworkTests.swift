import HTTPCacheSemantics
import Testing

@Suite("Hosts of a machine and its network")
struct PrivateNetworkTests {
    @Test(
        "this machine (RFC 6761 §6.3, RFC 6890)",
        arguments: ["localhost", "a.localhost", "localhost.", "127.0.0.1", "127.1.2.3", "[::1]"])
    func loopback(_ host: String) {
        #expect(PrivateNetwork.isLoopback(host: host) && PrivateNetwork.contains(host: host))
    }

    @Test(
        "its network (RFC 1918, RFC 3927, RFC 6598, RFC 4193, RFC 4291, RFC 6762, RFC 8375)",
        arguments: [
            "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
            "224.0.0.1", "255.255.255.255", "[fe80::1]", "[fd00::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::]",
            "[64:ff9b::7f00:1]", "printer.local", "router", "nas.home.arpa", "db.internal", "db.internal.", "",
        ])
    func network(_ host: String) {
        #expect(!PrivateNetwork.isLoopback(host: host) && PrivateNetwork.contains(host: host))
    }

    @Test(
        "neither",
        arguments: [
            "shop.test", "localhost.shop.test", "local.test", "8.8.8.8", "172.32.0.1", "100.128.0.1", "11.0.0.1",
            "[2606:4700::1]", "[3fff::1]", "home.arpa.test",
        ])
    func everywhere(_ host: String) {
        #expect(!PrivateNetwork.contains(host: host))
    }

    @Test(
        "what came from one place may lead there, not from elsewhere",
        arguments: [
            ("https://shop.test/a", "https://cdn.test/", true), ("https://shop.test/a", "https://127.0.0.1/", false),
            ("https://shop.test/a", "http://localhost:8000/", false), ("https://a/x", "https://a:8443/", true),
            ("http://localhost/a", "http://127.0.0.1:9/", true), ("http://localhost/a", "https://10.0.0.1/", false),
            ("https://10.0.0.2/", "https://10.0.0.1/", false), ("https://10.0.0.1/", "https://10.0.0.1:1/", true),
            ("https://shop.test/", "https://[::ffff:10.0.0.1]/", false), ("nothing", "https://cdn.test/", true),
            ("https://shop.test/", "nothing", false),
        ])
    func leading(_ source: String, _ target: String, _ isAllowed: Bool) {
        #expect(PrivateNetwork.mayLead(from: source, to: target) == isAllowed)
    }
}
