import ArgumentParser
import ManifestBuilding
import Manifests

struct ManifestKeygenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keygen", abstract: "Makes three key pairs: current, next and recovery.",
        discussion: """
            Apps pin all three public keys. 'current' signs; 'next' takes its place without an app update; 'recovery' \
            belongs offline, and alone revokes the others. Existing files are never replaced.
            """)

    @Argument(help: ArgumentHelp("The folder for the keys.", valueName: "dir"))
    var folder: String

    @Option(help: ArgumentHelp("Make only the pair of this name. Repeatable.", valueName: "name"))
    var name: [String] = []

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let names = name.isEmpty ? ["current", "next", "recovery"] : name
        let lines = zip(names, try KeyFiles.generate(names, in: folder)).map { name, key in
            Line(
                name: name, id: key.id, publicKey: "\(key)", secret: "\(folder)/\(name).key",
                file: "\(folder)/\(name).pub")
        }
        if json { return try Console.say(json: lines) }
        for line in lines { Console.say("\(line.name)  \(line.publicKey)\n  id \(line.id), secret in \(line.secret)") }
        if names.contains("recovery") {
            Console.say("Move recovery.key off this machine: it is for the day a key is stolen.")
        }
    }

    private struct Line: Encodable {
        var name: String
        var id: String
        var publicKey: String
        /// The paths of both halves.
        var secret: String
        var file: String
    }
}
