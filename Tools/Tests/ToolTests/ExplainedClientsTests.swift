#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
import CacheEngine
import CacheRules
import CacheTesting
import Fetching
import Foundation
import HTTPCacheSemantics
import HTTPTypes
import LarderHost
import Locking
import Preloading
import ResponseStore
import SchemeTasks
import Testing
import WireSupport

@testable import LarderKit

/// Another process reads the store and says what a client will get; then the client asks. Random stores, rules, fields,
/// cache modes, networks and servers.
@Suite("What explain says of each client's request is what it gets", .timeLimit(.minutes(10)))
struct ExplainedClientsTests {
    /// The server that a request meets.
    enum Server: String, CaseIterable {
        case confirms, hasAnother, isGone, failsWith500, failsWith503, forbidsStoring, refuses, closes, silent,
            breaksOff
    }

    @Test("2,000 random cases", arguments: 0..<8 as Range<UInt64>)
    func agreement(_ part: UInt64) async throws {
        let bench = try await ClientBench()
        var answers: [Explanation.Answer: Int] = [:]
        for seed in part * 250..<(part + 1) * 250 {
            var random = SplitMix64(seed: seed)
            let client = bench.pick(AskingClient.allCases, &random)
            try bench.begin(seed, &random)
            for _ in 0...Int.random(in: 0..<3, using: &random) { try await bench.fill(client, &random) }
            let ask = bench.ask(client, &random)
            let server = ask.connectivity.hasNetwork ? bench.pick(Server.allCases, &random) : .refuses
            let line = "seed \(seed): \(ask), \(server)"
            let said = try await bench.explain(ask)
            let down = try await bench.explain(ask, originIsDown: true)
            let got = try await bench.get(ask, from: server)
            let steps = said.steps.map { "\($0.title): \($0.finding)" }.joined(separator: "\n")
            #expect(
                ClientBench.expected(said, down, server).contains(got.outcome),
                "\(line): \(said.summary); down: \(down.summary); got \(got)\n\(steps)")
            if said.answer == .failed { #expect(got.asked == 0, "\(line): \(said.summary), \(got)") }
            if [.hit, .staleHit].contains(got.outcome), ask.method == .get, !ask.fields.contains(.range) {
                let without = down.steps.map(\.finding).joined(separator: "\n")
                #expect((steps + without).contains("status \(got.storedStatus)"), "\(line): \(got)\n\(steps)")
            }
            answers[said.answer, default: 0] += 1
            // Why nothing is stored is known afterwards, to every process.
            guard ask.connectivity.hasNetwork, ask.method == .get,
                got.outcome == .stored || got.notStored != nil || server == .breaksOff && got.asked > 0
            else { continue }
            let after = try await bench.explain(ask).steps.map { "\($0.title): \($0.finding)" }
            let looksUp = after.contains { $0.hasPrefix("Stored responses") }
            let isEmpty = after.contains("Stored responses: none")
            if got.outcome == .stored { #expect(!isEmpty, "\(line): \(got), then \(after)") }
            if got.outcome != .stored, looksUp, isEmpty {
                let why = got.notStored?.words ?? ""
                #expect(
                    after.contains { $0.hasPrefix("Last time: ") && $0.hasSuffix(why) },
                    "\(line): \(got), then \(after)")
            }
        }
        for answer in [Explanation.Answer.stored, .stale, .validated, .forwarded, .failed] {
            #expect(answers[answer, default: 0] > 2, "\(answers)")
        }
    }
}
