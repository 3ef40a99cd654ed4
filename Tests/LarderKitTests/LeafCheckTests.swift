import Testing

@testable import LarderKit

@Suite("Which certificate a web view is told to accept")
struct LeafCheckTests {
    struct Case: Sendable {
        var host = "shop.test"
        var asksForServerTrust = true
        var isProxy = false
        var presented: [UInt8]? = [1, 2, 3]
        var isAccepted = false
    }

    @Test(
        "exactly the one that the proxy has presented for that host; the system decides about all others",
        arguments: [
            Case(isAccepted: true),
            // Names of hosts know no case (RFC 9110 §4.2.3).
            Case(host: "Shop.Test", isAccepted: true),
            Case(host: "bank.test"), Case(host: ""), Case(host: "shop.test."), Case(host: "evil-shop.test"),
            // Another host's leaf, one byte more or less, none.
            Case(host: "other.test"), Case(presented: [1, 2]), Case(presented: [1, 2, 3, 4]), Case(presented: []),
            Case(presented: nil),
            // Basic authentication, a client's certificate; a proxy that speaks TLS itself is not ours.
            Case(asksForServerTrust: false), Case(isProxy: true),
            // A host whose leaf can't be had.
            Case(host: "broken.test"),
        ])
    func decisions(_ row: Case) {
        struct Broken: Error {}
        let isAccepted = LeafCheck.accepts(
            host: row.host, asksForServerTrust: row.asksForServerTrust, isProxy: row.isProxy, presented: row.presented
        ) { host in
            if host == "broken.test" { throw Broken() }
            return ["shop.test": [1, 2, 3], "other.test": [9]][host]
        }
        #expect(isAccepted == row.isAccepted)
    }
}
