import ArgumentParser
import ManifestBuilding
import Manifests

struct ManifestSignCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Adds a signature to a head.",
        discussion: """
            The bytes of the head stay as they are, so several people can sign one after the other. --renew first \
            gives the head new times and the next serial, for before it expires.
            """)

    @Argument(help: ArgumentHelp("A manifest's folder, or its head.json.", valueName: "head"))
    var head: String

    @Flag(help: "Give it new times and the next serial first; earlier signatures are dropped.")
    var renew = false

    @OptionGroup
    var publication: PublicationOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let folder = ManifestFolder(head)
        guard !publication.key.isEmpty else { throw ManifestToolError("--key is missing: the secret key that signs.") }
        if !renew, publication.serial != nil { throw ManifestToolError("--serial changes the head; it needs --renew.") }
        if !renew, publication.expires != nil {
            throw ManifestToolError("--expires changes the head; it needs --renew.")
        }
        let next = try publication.publication(of: folder)
        if renew { _ = try next.change([]) }
        _ = try publication.sign(folder)
        try HeadLine(folder).say(json: json)
    }
}
