import CacheTesting
import CachingProxy
import Dashboard
import Foundation
import Locking
import Testing
import WebVisit

@testable import LarderHost

/// What the demo says of visits without Larder, and by which sentence.
@Suite("the demo's control", .serialized, .timeLimit(.minutes(60)))
struct DemoControlTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func report(_ change: (inout DemoOptions) -> Void) async throws -> VisitReport {
        var options = DemoOptions()
        change(&options)
        return try await DemoRun(options) { _ in }.run()
    }

    private static func origin(tls: (certificatePEM: String, keyPEM: String)?) async throws -> PageOrigin {
        try await PageOrigin.start(tls: tls) { request in
            switch request.path {
            case "/": .page("Shop", "<h1>Shop</h1><img src=/a.svg><img src=/b.svg>")
            case "/a.svg", "/b.svg":
                .init(
                    fields: ["Content-Type": "image/svg+xml", "Cache-Control": "max-age=600"],
                    body:
                        "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9'/></svg>"
                )
            default: .notFound
            }
        }
    }

    /// The same authority and the same host names for both, so both see the page.
    @Test(
        "the control opens the page as well: over https past us, over http through us, with its document counted",
        arguments: [true, false])
    func sees(_ usesTLS: Bool) async throws {
        let authority = try CertificateAuthority(directory: folder.path + "/origin")
        let origin = try await Self.origin(tls: usesTLS ? try authority.makeIdentity(names: ["shop.test"]) : nil)
        let report = try await report { options in
            options.url = usesTLS ? "https://shop.test/" : "http://shop.test/"
            options.hostMap = ["shop.test:\(usesTLS ? 443 : 80):127.0.0.1:\(origin.port)"]
            if usesTLS { options.originAuthorities = folder.path + "/origin/ca.pem" }
        }
        await origin.stop()
        let (larder, control) = (report.visits.first { $0.usesLarder }, report.visits.first { !$0.usesLarder })
        #expect(control?.firstContentfulPaint != nil && control?.failures == 0, "\(report.checks)")
        // Where we read the control's requests, it has our handshake to pay, as Larder does: no honest comparison.
        #expect(report.conditions.contains { $0.contains("every connection tunnelled unread") } == usesTLS)
        if !usesTLS {
            #expect(control?.requests == larder?.requests && control?.requests == 3)
            #expect(control?.originBytes == larder?.originBytes && control.map { $0.originBytes > 300 } == true)
        }
        for check in report.checks { #expect(check.holds, "\(check.statement): \(check.evidence)") }
    }

    @Test("--deploy changes the page between two visits, with Larder and without")
    func deploys() async throws {
        let release = LockedBox(1)
        let origin = try await PageOrigin.start { request in
            let n = release.withLock { $0 }
            return request.path == "/" ? .page("Release \(n)", "<h1>\(n)</h1>", ["ETag": "\"\(n)\""]) : .notFound
        }
        let report = try await report { options in
            options.url = "http://shop.test/"
            options.hostMap = ["shop.test:80:127.0.0.1:\(origin.port)"]
            options.deploy = { release.withLock { $0 += 1 } }
        }
        await origin.stop()
        let last = report.visits.suffix(2)
        #expect(last.allSatisfy { $0.name == "after a deploy" } && release.withLock { $0 } == 2)
        #expect(last.first?.explanation.hasPrefix("The page is new") == true, "\(last)")
        #expect(
            report.checks.contains { $0.statement == "After a deploy: the page opens" && $0.holds }, "\(report.checks)")
    }

    @Test("an authority that signed for another host: no page for either, and nothing is said to hold of it")
    func otherHost() async throws {
        let authority = try CertificateAuthority(directory: folder.path + "/origin")
        let origin = try await Self.origin(tls: try authority.makeIdentity(names: ["bank.test"]))
        let report = try await report { options in
            options.url = "https://shop.test/"
            options.hostMap = ["shop.test:443:127.0.0.1:\(origin.port)"]
            options.originAuthorities = folder.path + "/origin/ca.pem"
        }
        await origin.stop()
        #expect(report.visits.allSatisfy { $0.firstContentfulPaint == nil })
        #expect(report.checks.contains { $0.statement == "Cold: the page does not open" && !$0.holds })
        #expect(!report.checks.contains { $0.statement.contains("without Larder") && $0.holds }, "\(report.checks)")
    }

    @Test("--origin-ca for another authority is not a way around it")
    func otherAuthority() async throws {
        let authority = try CertificateAuthority(directory: folder.path + "/origin")
        _ = try CertificateAuthority(directory: folder.path + "/other")
        let origin = try await Self.origin(tls: try authority.makeIdentity(names: ["shop.test"]))
        let report = try await report { options in
            options.url = "https://shop.test/"
            options.hostMap = ["shop.test:443:127.0.0.1:\(origin.port)"]
            options.originAuthorities = folder.path + "/other/ca.pem"
        }
        await origin.stop()
        #expect(report.visits.allSatisfy { $0.firstContentfulPaint == nil })
    }

    // MARK: Sentences

    private static func outcome(
        _ name: String, larder: Bool, isBlank: Bool = false, status: Int = 200, picture: String? = "picture"
    ) -> VisitOutcome {
        var result = VisitResult(requestedURL: "https://shop.test/")
        (result.mainStatus, result.ending, result.isBlank) = (status, .quiet, isBlank)
        if !isBlank { result.firstContentfulPaint = 9 }
        return VisitOutcome(
            name: name, usesLarder: larder, result: result, exchanges: [], screenshot: picture.map { Data($0.utf8) })
    }

    /// All six visits; those that are named differ.
    private static func story(_ others: [VisitOutcome]) -> DemoStory {
        var all: [VisitOutcome] = []
        for name in ["cold", "warm", "offline"] {
            for larder in [true, false] {
                let usual = outcome(name, larder: larder, status: !larder && name == "offline" ? 504 : 200)
                all.append(others.first { $0.name == name && $0.usesLarder == larder } ?? usual)
            }
        }
        return DemoStory(all)
    }

    @Test("all that was expected holds")
    func holds() {
        let checks = Self.story([]).foreignChecks()
        #expect(checks.count == 5 && checks.allSatisfy(\.holds), "\(checks)")
    }

    @Test("a challenge is no row: what is said of a file is said of the answer to the password")
    func challenge() {
        var visit = Self.outcome("cold", larder: true)
        visit.exchanges = [401, 200].map { status in
            ExchangeLine(
                method: "GET", url: "https://shop.test/", destination: "document", outcome: "forwarded",
                status: status, cacheStatus: "Larder", detail: nil, rule: nil, bytes: 0, originBytes: 0,
                millisecondsToHead: 0, milliseconds: 0, breaksHashedName: false, background: false, start: 0,
                notStored: "\(status)")
        }
        #expect(visit.record(explanation: "").rows.map(\.notStored) == ["200"])
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var outcome: VisitOutcome
        /// What is said instead.
        var says: String
        var testDescription: String { says }
    }

    @Test(
        "what does not hold is said in a sentence of its own",
        arguments: [
            // Issue 27: both pictures white, and so the same.
            Row(outcome: outcome("warm", larder: true, isBlank: true), says: "Warm: the page does not open"),
            Row(outcome: outcome("offline", larder: true, isBlank: true), says: "Offline: the page does not open"),
            Row(outcome: outcome("cold", larder: true, isBlank: true), says: "Cold: the page does not open"),
            Row(
                outcome: outcome("offline", larder: true, picture: "other"),
                says: "Offline: the page does not look as it did"),
            Row(
                outcome: outcome("offline", larder: true, picture: nil),
                says: "Offline: not judged whether the page looks as it did"),
            Row(
                outcome: outcome("cold", larder: false, status: 502),
                says: "Without Larder the page does not open with a network either: nothing can be compared"),
            Row(
                outcome: outcome("warm", larder: false, isBlank: true),
                says: "Without Larder the page does not open with a network either: nothing can be compared"),
            Row(
                outcome: outcome("offline", larder: false),
                says: "Offline without Larder: there is a page, so that the network was not gone"),
        ])
    func sentences(_ row: Row) {
        let usual = Set(Self.story([]).foreignChecks().map(\.statement))
        let checks = Self.story([row.outcome]).foreignChecks()
        #expect(checks.contains { $0.statement == row.says && !$0.holds }, "\(checks)")
        for check in checks {
            #expect(check.holds == usual.contains(check.statement), "\(check)")
            #expect(check.holds || !check.evidence.contains("the same, byte for byte"), "\(check)")
        }
    }
}
