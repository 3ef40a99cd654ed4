import ArgumentParser

struct ManifestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manifest", abstract: "Builds, signs, verifies and compares manifests of a site's files.",
        discussion: """
            A manifest lets apps fetch a site ahead of time, and of a new release only what changed. It is static \
            files: head.json, which is polled, and lists that never change. docs/manifests.md describes both.
            """,
        subcommands: [
            ManifestBuildCommand.self, ManifestKeygenCommand.self, ManifestSignCommand.self, ManifestVerifyCommand.self,
            ManifestDiffCommand.self, ManifestChangeCommand.self,
        ])
}
