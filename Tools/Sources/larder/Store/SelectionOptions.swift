import ArgumentParser
import CacheRules
import Foundation
import HTTPCacheSemantics
import LarderHost
import ResponseStore

/// Which stored responses are meant: all that is given must hold.
struct SelectionOptions: ParsableArguments {
    @Option(help: "Those under this URL, as store list prints it, whatever their variant.")
    var url: String?

    @Option(help: "Those of this host, with its port where the URL has one; '*.shop.test' for all hosts below it.")
    var host: String?

    @Option(help: ArgumentHelp("Those of this account; '' for those of nobody in particular.", valueName: "name"))
    var account: String?

    @Option(
        help: ArgumentHelp("Those stored or last confirmed longer ago than this, such as 30d or 12h.", valueName: "age")
    )
    var olderThan: String?

    @Option(help: ArgumentHelp("Those stored or last confirmed in this time, such as 1h.", valueName: "age"))
    var newerThan: String?

    @Option(help: ArgumentHelp("Those not asked for in this time; known to a day.", valueName: "age"))
    var unusedFor: String?

    @Option(help: "Those of this content type, such as text/css, or image/* for all of a kind.")
    var type: String?

    @Option(help: ArgumentHelp("Those that a rule has put this tag on.", valueName: "name"))
    var tag: String?

    @Flag(
        inversion: .prefixedNo, exclusivity: .exclusive,
        help: "Those that are kept from eviction, or those that are not.")
    var pinned: Bool?

    @Flag(help: "Those that a rule no longer lets answer without a validation.")
    var expired = false

    /// Whether nothing is given.
    var isEmpty: Bool {
        [url, host, account, olderThan, newerThan, unusedFor, type, tag].allSatisfy { $0 == nil } && pinned == nil
            && !expired
    }

    /// What is given; everything where nothing is.
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
        if let type, !type.contains("/") {
            throw ValidationError("--type takes type/subtype, such as text/css or image/*.")
        }
        return EntrySelection(
            uri: try url.map { try StoreKeeper.uri($0) }, host: host, partition: account,
            storedBefore: try before(olderThan, "--older-than"), storedSince: try before(newerThan, "--newer-than"),
            unusedSince: try before(unusedFor, "--unused-for"),
            contentType: type, tag: tag, isPinned: pinned, expiredAt: expired ? now : nil)
    }
}
