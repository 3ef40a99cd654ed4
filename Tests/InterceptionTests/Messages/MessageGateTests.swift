import CacheTesting
import HTTPCacheSemantics
import Testing

@testable import Interception

@Suite("Messages from pages to native code")
struct MessageGateTests {
    private static let main = MessageFrame(isMainFrame: true, scheme: "https", host: "shop.test")

    private func gate(
        frameHosts: [AllowedHost] = [], largest: ByteCount = .kibibytes(1), inFlight: Int = 4,
        perPage: ByteCount = .kibibytes(8)
    ) throws -> MessageGate {
        MessageGate(
            .init(
                hosts: [try #require(AllowedHost("shop.test")), try #require(AllowedHost("*.cdn.test"))],
                frameHosts: frameHosts, largestMessage: largest, mostInFlight: inFlight, mostPerPage: perPage),
            random: SplitMix64(seed: 1))
    }

    private func admission(_ decision: MessageDecision) throws -> MessageAdmission {
        guard case .accept(let admission) = decision else {
            Issue.record("\(decision)")
            throw CancellationError()
        }
        return admission
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var isMainFrame = true
        var scheme = "https"
        var host: String
        var reason: MessageDecision.Reason?
        var testDescription: String { "\(scheme)://\(host), \(isMainFrame ? "main" : "sub") frame" }
    }

    @Test(
        "only the allowed frames of allowed hosts",
        arguments: [
            Row(host: "shop.test", reason: nil),
            Row(host: "SHOP.test", reason: nil),
            Row(host: "a.cdn.test", reason: nil),
            Row(host: "a.b.cdn.test", reason: nil),
            Row(host: "cdn.test", reason: .hostNotAllowed),
            Row(host: ".cdn.test", reason: .hostNotAllowed),
            Row(host: "evilcdn.test", reason: .hostNotAllowed),
            Row(host: "shop.test.evil.test", reason: .hostNotAllowed),
            Row(host: "www.shop.test", reason: .hostNotAllowed),
            Row(host: "shop.test.", reason: .hostNotAllowed),
            // U+017F has the Latin s as its upper case, U+0073 U+0323 and U+1E63 are canonically equivalent.
            Row(host: "\u{17F}hop.test", reason: .hostNotAllowed),
            // An opaque origin: a sandboxed frame, a data: URL.
            Row(scheme: "", host: "", reason: .schemeNotAllowed),
            Row(scheme: "https", host: "", reason: .hostNotAllowed),
            Row(scheme: "http", host: "shop.test", reason: .schemeNotAllowed),
            Row(scheme: "file", host: "shop.test", reason: .schemeNotAllowed),
            Row(isMainFrame: false, host: "shop.test", reason: .frameNotAllowed),
            Row(isMainFrame: false, host: "frame.cdn.test", reason: nil),
            // A frame's host needs to be on both lists.
            Row(isMainFrame: false, host: "ads.test", reason: .hostNotAllowed),
        ])
    func frames(_ row: Row) throws {
        var gate = try gate(
            frameHosts: [try #require(AllowedHost("frame.cdn.test")), try #require(AllowedHost("ads.test"))])
        let token = gate.pageLoaded()
        let frame = MessageFrame(isMainFrame: row.isMainFrame, scheme: row.scheme, host: row.host)
        switch gate.admit(from: frame, size: .zero, token: token.text) {
        case .accept: #expect(row.reason == nil)
        case .refuse(let reason): #expect(row.reason == reason)
        }
    }

    @Test(
        "patterns that would allow more than one site",
        arguments: ["", "*", "*.", "*.test", "a*.test", "*.*.test", "a..test", ".test"])
    func patterns(_ text: String) {
        #expect(AllowedHost(text) == nil)
    }

    @Test("a token works once, and a refusal does not use it up")
    func tokens() throws {
        var gate = try gate()
        let first = gate.pageLoaded()
        let other = MessageFrame(isMainFrame: false, scheme: "https", host: "shop.test")
        #expect(gate.admit(from: other, size: .zero, token: first.text) == .refuse(.frameNotAllowed))
        let next = try admission(gate.admit(from: Self.main, size: .zero, token: first.text)).nextToken
        #expect(gate.admit(from: Self.main, size: .zero, token: first.text) == .refuse(.tokenUnknown))
        _ = try admission(gate.admit(from: Self.main, size: .zero, token: next.text))
    }

    @Test("a page load ends the tokens of the page before, and so they can't be kept for later")
    func pageLoads() throws {
        var gate = try gate(inFlight: 1)
        #expect(gate.admit(from: Self.main, size: .zero, token: "") == .refuse(.tokenUnknown))
        let earlier = gate.pageLoaded()
        let current = gate.pageLoaded()
        #expect(gate.admit(from: Self.main, size: .zero, token: earlier.text) == .refuse(.tokenUnknown))
        let message = try admission(gate.admit(from: Self.main, size: .zero, token: current.text))
        // The reply to a message of an earlier page does not make room for the new page's.
        let third = gate.pageLoaded()
        let last = try admission(gate.admit(from: Self.main, size: .zero, token: third.text))
        gate.finish(message)
        #expect(gate.admit(from: Self.main, size: .zero, token: last.nextToken.text) == .refuse(.tooManyInFlight))
        gate.finish(last)
        _ = try admission(gate.admit(from: Self.main, size: .zero, token: last.nextToken.text))
    }

    @Test("tokens are compared byte by byte, whole")
    func comparison() {
        var random = SplitMix64(seed: 3)
        let token = MessageToken(random: &random)
        #expect(token.text.utf8.count == 32)
        #expect(token.matches(token.text))
        #expect(!token.matches(""))
        #expect(!token.matches(String(token.text.dropLast())))
        #expect(!token.matches(token.text + "0"))
        #expect(!token.matches(token.text.uppercased()) || token.text.uppercased() == token.text)
        for place in 0..<32 {
            var bytes = Array(token.text.utf8)
            bytes[place] ^= 1
            #expect(!token.matches(String(decoding: bytes, as: UTF8.self)))
        }
    }

    @Test("sizes: of a message, of a page; negative ones")
    func sizes() throws {
        var gate = try gate(largest: ByteCount(Int64(100)), inFlight: 100, perPage: ByteCount(Int64(250)))
        var token = gate.pageLoaded()
        for size in [Int64(101), .max, -1, .min] {
            #expect(
                gate.admit(from: Self.main, size: ByteCount(size), token: token.text) == .refuse(.messageTooLarge))
        }
        for size in [Int64(100), 100, 50] {
            token = try admission(gate.admit(from: Self.main, size: ByteCount(size), token: token.text)).nextToken
        }
        #expect(
            gate.admit(from: Self.main, size: ByteCount(Int64(1)), token: token.text) == .refuse(.pageHasSentTooMuch))
    }

    @Test("asking for tokens without end keeps no more than the messages that may be in flight")
    func manyTokens() throws {
        var gate = try gate(inFlight: 4)
        let first = gate.pageLoaded()
        let further = (0..<100).map { _ in gate.makeToken() }
        #expect(gate.admit(from: Self.main, size: .zero, token: first.text) == .refuse(.tokenUnknown))
        #expect(Set(further).count == 100)
        _ = try admission(gate.admit(from: Self.main, size: .zero, token: try #require(further.last).text))
    }
}
