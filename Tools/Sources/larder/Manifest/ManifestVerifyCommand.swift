import ArgumentParser
import ManifestBuilding
import Manifests

struct ManifestVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Says whether apps would accept a manifest, and whether its lists and files fit.",
        discussion: "Exit status 1 means that something does not fit.")

    @Argument(help: ArgumentHelp("A manifest's folder, or its head.json.", valueName: "head"))
    var head: String

    @Option(help: ArgumentHelp("A public key that apps pin: its text or its file. Repeatable.", valueName: "key"))
    var key: [String] = []

    @Option(help: ArgumentHelp("The public recovery key.", valueName: "key"))
    var recoveryKey: String?

    @Option(help: "How many keys must have signed.")
    var threshold = 1

    @Option(help: "The id that apps expect.")
    var id: String?

    @Option(help: ArgumentHelp("The base that apps expect.", valueName: "url"))
    var base: String?

    @Option(help: ArgumentHelp("A build folder whose files are compared with the last release.", valueName: "dir"))
    var files: String?

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard threshold > 0 else { throw ValidationError("--threshold takes 1 or more.") }
    }

    func run() async throws {
        let keys = try key.map { text throws(ManifestToolError) in try KeyFiles.pinned(text) }
        let recovery = try recoveryKey.map { text throws(ManifestToolError) in try KeyFiles.pinned(text) }
        let trust: ManifestTrust =
            keys.isEmpty && recovery == nil
            ? .server : .pinned(PinnedKeys(keys, recovery: recovery, threshold: threshold))
        let folder = ManifestFolder(head)
        let site = try files.map { path throws(ManifestToolError) in
            let build = try BuildFolder(path, leavingOut: [folder.path])
            return ListBuilder(build, try BuildOutput.find(in: build))
        }
        let result = try ManifestVerification(folder, trust: trust, id: id, base: base, now: Console.now, site: site)
        if json {
            try Console.say(
                json: Line(
                    head: folder.headPath, accepted: result.head != nil, signatureChecked: trust != .server,
                    serial: result.head?.serial, expires: result.head.map { UTCTimestamp.text($0.expires) },
                    turnsOff: result.head?.turnsOff ?? [],
                    releases: result.head == nil ? [] : try HeadLine(folder).releases, lists: result.lists,
                    files: result.files, problems: result.problems))
        } else {
            for problem in result.problems { Console.say(untrusted: "\(problem.code): \(problem.message)") }
            if let head = result.head {
                let signed =
                    trust == .server ? "its signature was not checked, since no --key was given" : "its signature fits"
                let until = UTCTimestamp.text(head.expires)
                let time =
                    head.expires > Console.now
                    ? "is accepted until \(until)" : "expired at \(until), and is accepted for a day after that"
                Console.say("serial \(head.serial) \(time); \(signed)")
                if !head.turnsOff.isEmpty {
                    Console.say(untrusted: "  turned off in apps: \(head.turnsOff.joined(separator: ", "))")
                }
                for release in try HeadLine(folder).releases { Console.say(untrusted: "  " + release.text) }
                let found = files == nil ? "" : " and \(Self.count(result.files, "file"))"
                let rest = files == nil ? "; --files FOLDER compares the files" : ""
                Console.say("\(Self.count(result.lists, "list"))\(found) as stated\(rest)")
            }
        }
        if !result.problems.isEmpty { throw ExitCode(1) }
    }

    private static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    private struct Line: Encodable {
        var head: String
        var accepted: Bool
        var signatureChecked: Bool
        var serial: Int64?
        var expires: String?
        /// The parts that apps turn off.
        var turnsOff: [String]
        /// The last one whose conditions hold is used.
        var releases: [HeadLine.ReleaseLine]
        var lists: Int
        var files: Int
        var problems: [ManifestVerification.Problem]
    }
}
