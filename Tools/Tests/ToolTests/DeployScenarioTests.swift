import Foundation
import Testing

@Suite("Visits while the server deploys", .timeLimit(.minutes(5)))
struct DeployScenarioTests {
    @Test("a snapshot is whole at each visit, and the page is new at the one after; without it pages break")
    func deploys() async throws {
        let output = try await ToolProcess.run(
            ToolProcess.larder, ["demo", "--scenario", "deploy", "--visits", "16", "--json"])
        #expect(output.status == 0, "\(output)")
        let results = try #require(
            try JSONSerialization.jsonObject(with: Data(output.out.utf8)) as? [[String: Any]])
        try #require(results.map { $0["rules"] as? String } == ["default", "snapshot"])
        #expect(results[0]["broken"] as? Int ?? 0 > 0, "\(output.out)")
        #expect(results[1]["whole"] as? Int == 16 && results[1]["broken"] as? Int == 0, "\(output.out)")
        #expect(results[1]["newest"] as? Int ?? 0 > 4, "\(output.out)")
    }
}
