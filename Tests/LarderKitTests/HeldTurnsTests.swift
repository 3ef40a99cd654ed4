import CacheTesting
import Foundation
import Preloading
import Testing

@testable import LarderKit

@Suite("Turns of preloads in an app that is suspended", .timeLimit(.minutes(5)))
struct HeldTurnsTests {
    @Test("none is held while the store is suspended, whenever it was taken")
    func suspended() async throws {
        let directory = try TemporaryDirectory()
        let larder = try Larder(
            LarderConfiguration(directory: URL(fileURLWithPath: directory.store)), transport: ScriptedTransport())
        func take() async throws -> SetTurn {
            try await SetTurn.take("set", of: "", in: directory.store + "/turns", larder.cache) {
                Issue.record("somebody has it")
            }
        }
        let turns = HeldTurns()
        turns.add(try await take())
        turns.suspend()
        turns.add(try await take())
        turns.resume()
        let last = try await take()
        turns.add(last)
        turns.remove(last)
        turns.suspend()
        last.end()
    }
}
