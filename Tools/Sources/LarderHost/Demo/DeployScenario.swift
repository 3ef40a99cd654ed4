import CacheEngine
import CacheRules
import CachingProxy
import DemoSite
import Foundation
import HTTPCacheSemantics
import OriginDialing
import WebVisit

/// Visits to one page while its server deploys every few of them, and sometimes again between the page and its files;
/// by the default rules, and with the rule `snapshot`.
package struct DeployScenario: Sendable {
    /// The visits by one set of rules.
    package struct Result: Sendable, Encodable {
        package var rules: String
        package var visits = 0
        /// All files are of one release.
        package var whole = 0
        /// Files of two releases, or one that its server does not have any more.
        package var broken = 0
        /// The shown release is the last that was deployed.
        package var newest = 0
        /// Milliseconds until the first paint, the median; `nil` where nothing was painted.
        package var firstPaint: Double?
        /// The median of the first visits after a deploy alone.
        package var firstPaintAfterDeploy: Double?
    }

    private let visits: Int
    private let progress: @Sendable (String) -> Void

    /// - Parameter visits: By each set of rules; every fourth comes after a deploy.
    package init(visits: Int, progress: @escaping @Sendable (String) -> Void) {
        (self.visits, self.progress) = (visits, progress)
    }

    package func run(in directory: URL) async throws -> [Result] {
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let display = try await Display.find()
        defer { display.stop() }
        let snapshot = RuleList {
            RuleList.webViewSafeguards
            Rule("page", .snapshot, when: .destination(.document))
            RuleList.webViewDefaults
        }
        var results: [Result] = []
        for (name, rules) in [("default", RuleList.webViewDefaults), ("snapshot", snapshot)] {
            results.append(try await visit(name, rules, directory.path, display))
        }
        return results
    }

    private func visit(
        _ name: String, _ rules: RuleList, _ directory: String, _ display: Display
    ) async throws -> Result {
        let authority = try CertificateAuthority(directory: directory + "/origin-\(name)")
        let host = DemoHosts().shop
        let identity = try authority.makeIdentity(names: [host])
        var release = 1
        let origin = DemoOrigin(site: DeployedPage.release(release), shaping: .fourG)
        let port = try await origin.start(
            certificate: OriginCertificate(
                chainPEM: identity.certificatePEM + authority.certificatePEM, privateKeyPEM: identity.keyPEM))
        var setup = ProxySetup(storeDirectory: directory + "/store-\(name)", mode: .forward(intercept: .forWebViews))
        setup.cache.hostMap = try HostMap(["\(host):443:127.0.0.1:\(port)"])
        setup.cache.originAuthorities = directory + "/origin-\(name)/ca.pem"
        setup.cache.rules = rules
        let visitor = try await PageVisitor.start(setup, display: display)
        var result = Result(rules: name)
        var (paints, paintsAfterDeploy) = ([Double](), [Double]())
        for number in 0..<visits {
            let isAfterDeploy = number > 0 && number % 4 == 0
            if isAfterDeploy {
                release += 1
                origin.deploy(DeployedPage.release(release), keepingEarlierAssets: false)
                if number % 8 == 0 {
                    release += 1
                    origin.deploy(DeployedPage.release(release), after: "/")
                }
            }
            if number % 10 == 0 { progress("rules \(name): visit \(number + 1) of \(visits)") }
            let seen = try await visitor.visit(
                VisitRequest(
                    url: DeployedPage.url, quietMilliseconds: 600, dataDirectory: directory + "/web-view-\(name)",
                    usesDiskCache: true))
            result.visits += 1
            let shown = Self.releases(seen.title)
            if shown.count == 6, Set(shown).count == 1 { result.whole += 1 } else { result.broken += 1 }
            if shown.max() == release { result.newest += 1 }
            if let paint = seen.firstContentfulPaint {
                paints.append(paint)
                if isAfterDeploy { paintsAfterDeploy.append(paint) }
            }
        }
        await visitor.proxy.stop()
        await origin.stop()
        (result.firstPaint, result.firstPaintAfterDeploy) = (Self.median(paints), Self.median(paintsAfterDeploy))
        return result
    }

    /// The release of each file; 0 for one that did not come.
    private static func releases(_ title: String?) -> [Int] {
        let read = try? JSONDecoder().decode([String: Int].self, from: Data((title ?? "").utf8))
        return read.map { Array($0.values) } ?? []
    }

    private static func median(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : values.sorted()[values.count / 2]
    }

    // MARK: In words

    /// A table, and what it says.
    package static func text(_ results: [Result]) -> String {
        let header = ["rules", "visits", "whole", "broken", "newest", "first paint", "after a deploy"]
        func milliseconds(_ value: Double?) -> String { value.map { "\(Int($0.rounded())) ms" } ?? "–" }
        let rows = results.map { result in
            [
                result.rules, "\(result.visits)", "\(result.whole)", "\(result.broken)", "\(result.newest)",
                milliseconds(result.firstPaint), milliseconds(result.firstPaintAfterDeploy),
            ]
        }
        let widths = header.indices.map { column in ([header] + rows).map { $0[column].count }.max() ?? 0 }
        let lines = ([header] + rows).map { row in
            " "
                + zip(row, widths).map { cell, width in cell.padding(toLength: width, withPad: " ", startingAt: 0) }
                .joined(separator: "  ")
        }
        return """
            \(lines.joined(separator: "\n"))

             The server deploys before every fourth visit, and every second time again between the page and its files; \
             it
             has nothing of earlier releases. whole: every file is of one release; broken: two releases, or a file is
             missing; newest: the last release is shown. The server is 60 ms away.
            """
    }
}
