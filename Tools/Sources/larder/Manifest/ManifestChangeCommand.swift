import ArgumentParser
import ManifestBuilding
import Manifests

struct ManifestChangeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change", abstract: "Rolls out, rolls back, pauses or switches off what is published.",
        discussion: """
            Writes a head with the next serial over the same lists; upload that head. After --roll-back-to, first \
            put back \
            the old files whose names have no hash, pages among them. The head has no signature until --key or \
            'larder manifest sign' adds one.
            """)

    @Argument(help: ArgumentHelp("A manifest's folder, or its head.json.", valueName: "head"))
    var head: String

    @Option(help: "active, paused (nothing is fetched) or off (and what is held is unpinned).")
    var state: PublicationState?

    @Option(help: ArgumentHelp("Return to an earlier release of the head.", valueName: "name"))
    var rollBackTo: String?

    @Option(
        help: ArgumentHelp(
            "The percentage of installations that get the last release; not where it has documents.",
            valueName: "percent"))
    var rollout: RolloutShare?

    @Option(help: ArgumentHelp("The id of a key to revoke; the recovery key must sign. Repeatable.", valueName: "id"))
    var revoke: [String] = []

    @Flag(help: "State no revocations any more; devices that know them keep them.")
    var revokeNone = false

    @Option(
        help: ArgumentHelp(
            """
            What apps turn off: a mode (proxy, appScheme), a host ('*.shop.example'), '*' for everything, or none. \
            Repeatable.
            """,
            valueName: "name"))
    var turnOff: [String] = []

    @OptionGroup
    var publication: PublicationOptions

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        if turnOff == ["none"] { return }
        for name in turnOff where !Self.canBeTurnedOff(name) {
            throw ValidationError(
                "--turn-off: '\(name)' is neither a mode (proxy, appScheme, httpsScheme) nor a host without a port, "
                    + "such as '*.shop.example'. '*' alone is everything, and 'none' alone turns all on again.")
        }
    }

    private static func canBeTurnedOff(_ name: String) -> Bool {
        if ["*", "localhost", "proxy", "appScheme", "httpsScheme"].contains(name) { return true }
        let labels = (name.hasPrefix("*.") ? name.dropFirst(2) : name[...])
            .split(separator: ".", omittingEmptySubsequences: false)
        return labels.count > 1 && labels.allSatisfy { !$0.isEmpty && !$0.contains("*") } && name == name.lowercased()
            && ManifestHead.isTurnedOffName(name)
    }

    func run() async throws {
        let folder = ManifestFolder(head)
        var changes: [HeadChange] = []
        if let rollBackTo { changes.append(.rollBack(to: rollBackTo)) }
        if let rollout { changes.append(.rollOut(permyriad: rollout.permyriad)) }
        if let state { changes.append(.state(state)) }
        if revokeNone { changes.append(.revokeNone) }
        if !revoke.isEmpty { changes.append(.revoke(revoke)) }
        if !turnOff.isEmpty { changes.append(.turnOff(turnOff == ["none"] ? [] : turnOff)) }
        let next = try publication.publication(of: folder, changes: changes)
        guard !changes.isEmpty || publication.serial != nil || publication.expires != nil else {
            throw ManifestToolError(
                "There is nothing to change; name --state, --roll-back-to, --rollout, --revoke, --revoke-none or "
                    + "--turn-off. New times alone are given by 'larder manifest sign --renew'.")
        }
        _ = try next.change(changes)
        let isSigned = try publication.sign(folder)
        try HeadLine(folder).say(json: json)
        if !isSigned, !json {
            Console.say("Not signed yet, so apps refuse it: larder manifest sign \(head) --key FILE")
        }
        if !revoke.isEmpty, !json {
            Console.say(
                "Apps accept a revocation only if the recovery key has signed it; see 'larder manifest verify'.")
        }
    }
}

extension PublicationState: ExpressibleByArgument {}
