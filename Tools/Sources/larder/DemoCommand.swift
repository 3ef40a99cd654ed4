import ArgumentParser
import LarderHost

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Opens a real page in a real web view: cold, warm, offline, after a deploy.")

    func run() async throws {}
}
