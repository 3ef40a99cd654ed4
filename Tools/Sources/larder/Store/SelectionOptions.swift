import ArgumentParser
import CacheRules
import Foundation
import HTTPCacheSemantics
import LarderHost
import ResponseStore

/// Which stored responses are meant: all that is given must hold.
struct SelectionOptions: ParsableArguments {
    @Option(help: "All variants under this URL, as store list prints it.")
    var url: String?

    @Option(help: "Responses whose URL begins so, such as https://shop.test/docs/.")
    var urlPrefix: String?

    @Option(help: "Responses of this host, with its port if the URL has one; '*.shop.test' for all hosts below it.")
    var host: String?

    @Option(help: ArgumentHelp("Responses of this account; '' for those of no account.", valueName: "name"))
    var account: String?

    @Option(
        help: ArgumentHelp(
            "Responses stored or last validated longer ago than this, such as 30d or 12h.", valueName: "age")
    )
    var olderThan: String?

    @Option(help: ArgumentHelp("Responses stored or last validated within this time, such as 1h.", valueName: "age"))
    var newerThan: String?

    @Option(help: ArgumentHelp("Responses not used within this time, to a precision of one day.", valueName: "age"))
    var unusedFor: String?

    @Option(help: "Responses of this content type, such as text/css or image/*.")
    var type: String?

    @Option(help: ArgumentHelp("Responses that a rule has given this tag.", valueName: "name"))
    var tag: String?

    @Flag(
        inversion: .prefixedNo, exclusivity: .exclusive,
        help: "Only responses that are pinned (never evicted), or only those that are not.")
    var pinned: Bool?

    @Flag(help: "Responses past the expiry that a rule has set.")
    var expired = false

    /// Whether nothing is given.
    var isEmpty: Bool {
        [url, urlPrefix, host, account, olderThan, newerThan, unusedFor, type, tag].allSatisfy { $0 == nil }
            && pinned == nil
            && !expired
    }

    /// The selection that is given; everything where none is.
    ///
    /// - Throws: `ValidationError` or `HostError` for what can't be understood.
    func selection(at now: WallInstant) throws -> EntrySelection {
        if isEmpty { return .everything }
        func before(_ text: String?, _ option: String) throws -> WallInstant? {
            guard let text else { return nil }
            guard let duration = DurationText.parse(text) else {
                throw ValidationError("\(option) takes a duration; \(DurationText.help).")
            }
            return WallInstant(sinceEpoch: now.sinceEpoch - duration)
        }
        if let host { try HostOption.check(host, "--host") }
        if urlPrefix?.isEmpty == true {
            throw ValidationError("--url-prefix takes the beginning of a URL, and is empty.")
        }
        if let type, !type.contains("/") {
            throw ValidationError("--type takes type/subtype, such as text/css or image/*.")
        }
        return EntrySelection(
            uri: try url.map { try StoreKeeper.uri($0) }, uriPrefix: urlPrefix, host: host, partition: account,
            storedBefore: try before(olderThan, "--older-than"), storedSince: try before(newerThan, "--newer-than"),
            unusedSince: try before(unusedFor, "--unused-for"),
            contentType: type, tag: tag, isPinned: pinned, expiredAt: expired ? now : nil)
    }

    /// Where nothing is stored of a host, says under which ports something is: a URL with a port belongs to a host with
    /// it.
    func noteOtherPorts(in keeper: StoreKeeper) async throws {
        guard let host = host?.lowercased(), !host.hasPrefix("*") else { return }
        var others: Set<String> = []
        var isStored = false
        try await keeper.store.forEachSummary(of: .everything) { entry in
            guard let authority = TargetURI.split(entry.key.uri)?.authority, others.count < 10 else { return }
            // Then another option leaves nothing.
            if authority == host { isStored = true }
            let name = authority.lastIndex(of: ":").map { authority[..<$0] } ?? authority[...]
            if authority != host, name == host.prefix(name.count), host.dropFirst(name.count).first ?? ":" == ":" {
                others.insert(authority)
            }
        }
        guard !isStored, !others.isEmpty else { return }
        Console.note("Nothing is stored for '\(host)'; something is for \(others.sorted().joined(separator: ", ")).")
    }
}
