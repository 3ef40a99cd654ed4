import ArgumentParser

struct SeedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seed", abstract: "Makes a file of a site's responses that ships with an app.",
        discussion: """
            At its first start the app fills its store from the file in the background; what the store has that is \
            newer stays. docs/seeds.md describes the file.
            """,
        subcommands: [SeedBuildCommand.self, SeedShowCommand.self, SeedFillCommand.self])
}
