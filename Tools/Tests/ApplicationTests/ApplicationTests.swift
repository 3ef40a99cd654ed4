import Foundation
import Testing

/// Real applications from the Python package index, used by hand as it were: `make applications`.
@Suite("real applications in a real web view", .serialized, .timeLimit(.minutes(120)))
struct ApplicationTests {
    /// The folder with the applications.
    private static let environments = ProcessInfo.processInfo.environment["LARDER_APPLICATIONS"]

    @Test(
        "each works through the proxy and the https scheme handler as it does directly: cold, warm and offline",
        .enabled(if: environments != nil, "LARDER_APPLICATIONS names no folder; make applications does"),
        arguments: Application.all)
    func works(_ application: Application) async throws {
        let environments = try #require(Self.environments)
        let stage = try await ApplicationStage(application, environments: environments)
        let direct = try await stage.visit(.direct, .cold)
        #expect(direct.failure == nil, "directly")
        var rows: [ApplicationRow] = []
        for mode in [ApplicationStage.Mode.proxy, .httpsScheme] {
            var row = ApplicationRow(application: application.name, mode: mode.rawValue)
            for visit in [ApplicationStage.Visit.cold, .warm] {
                let outcome = try await stage.visit(mode, visit)
                #expect(outcome.failure == nil, "\(mode), \(visit)")
                #expect(outcome.errors.isSubset(of: direct.errors), "\(mode), \(visit): new errors in the console")
                row.add(visit, outcome, asIn: direct)
            }
            rows.append(row)
        }
        await stage.stopServer()
        for (place, mode) in [ApplicationStage.Mode.proxy, .httpsScheme].enumerated() {
            let outcome = try await stage.visit(mode, .offline)
            switch application.offline {
            case .works: #expect(outcome.failure == nil, "\(mode), offline")
            case .says(let text): #expect(outcome.text.contains(text), "\(mode), offline: \(outcome.text)")
            }
            rows[place].add(.offline, outcome, asIn: direct)
        }
        await stage.stop()
        try ApplicationsDocument.keep(rows, of: application)
    }

    @Test(
        "at the app-cache scheme each works where its own design permits it, and nothing of its host gets past Larder",
        .enabled(if: environments != nil, "LARDER_APPLICATIONS names no folder; make applications does"),
        arguments: Application.all)
    func appScheme(_ application: Application) async throws {
        let environments = try #require(Self.environments)
        let stage = try await ApplicationStage(application, environments: environments)
        let plain = try await stage.visit(.https, .cold)
        #expect(plain.failure == nil, "at https, past Larder")
        // What differs without Larder: names that are drawn, times.
        let usual = DocumentDifference(plain.document, try await stage.visit(.https, .warm).document)
        var row = AppSchemeRow(application: application)
        for visit in [ApplicationStage.Visit.cold, .warm] {
            let outcome = try await stage.visit(.appScheme, visit)
            switch application.atAppScheme {
            case .works:
                #expect(outcome.failure == nil, "\(visit)")
                let new = outcome.errors.subtracting(plain.errors)
                #expect(new.isEmpty, "\(visit): new errors in the console")
            case .fails(let step, _): #expect(outcome.failure?.hasPrefix(step) == true, "\(visit)")
            }
            // Sockets are not turned.
            #expect(outcome.past.allSatisfy { $0.hasPrefix("WebSocket") }, "\(visit)")
            #expect(outcome.addresses?.faults == 0 && outcome.addresses?.fallbacks == 0)
            let difference = DocumentDifference(outcome.document, plain.document).besides(usual)
            row.add(outcome, difference)
        }
        await stage.stopServer()
        row.addOffline(try await stage.visit(.appScheme, .offline))
        await stage.stop()
        try ApplicationsDocument.keep(row, of: application)
    }
}
