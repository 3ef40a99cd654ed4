import CacheRules
import HTTPCacheSemantics
import Testing

@testable import Preloading

/// Races as sequences of events, each with the actions that follow.
@Suite("The machine of preloads")
struct PreloadMachineTests {
    private typealias Bench = MachineBench

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var configure: @Sendable (inout PreloadConfiguration) -> Void = { _ in }
        var steps: @Sendable () -> [(MachineBench.Step, [String])]
    }

    private static func row(
        _ name: String, perHost: Int = 6, bytesPerDay: Int64? = nil,
        _ steps: @escaping @Sendable () -> [(MachineBench.Step, [String])]
    ) -> Row {
        Row(
            testDescription: name,
            configure: {
                $0.atOncePerHost = perHost
                $0.budget.bytesPerDay = bytesPerDay.map { ByteCount($0) }
            }, steps: steps)
    }

    private static let (a, b) = (Bench.item("a"), Bench.item("b"))
    /// A release: a file that replaces another one, and a document that needs it.
    private static let release = [Bench.item("style"), Bench.item("page", needs: .release)]
    private static let newer = [Bench.item("style", version: 2), Bench.item("page", needs: .release, version: 2)]
    /// Until both are fetched, and are being put in place.
    private static let placing: [(MachineBench.Step, [String])] = [
        (.add("shop", release), ["tell 1"]),
        (.run, ["fetch style", "fetch page"]),
        (.end("page", .staged(Bench.staged("page"))), []),
        (.end("style", .staged(Bench.staged("style"))), ["switch shop"]),
    ]

    @Test(
        "each race has one meaning",
        arguments: [
            row("a cancel during a fetch removes what has arrived, once the fetch has ended") {
                [
                    (.add("app", [a, b]), ["tell 1"]), (.run, ["fetch a", "fetch b"]),
                    (.end("a", .verified("a")), []),
                    (.cancel("app"), ["cancel b"]),
                    (.end("b", .refused(.cancelled)), ["discard b"]),
                    (.discarded("b"), ["pins of app", "tell 3"]), (.pinned, ["tell 2: 1 of 1"]),
                ]
            },
            row("a cancel after the last byte: the verified response stays, what is staged goes") {
                [
                    (.add("app", [a]), ["tell 1"]), (.run, ["fetch a"]), (.cancel("app"), ["cancel a"]),
                    (.end("a", .verified("a")), ["discard a"]), (.discarded("a"), ["tell 2", "tell 3"]),
                ]
            },
            row("the budget is reached between two items: the second waits for the next day", bytesPerDay: 15) {
                [
                    (.add("app", [a, b]), ["tell 1"]), (.untilSettled, ["fetch a", "fetch b"]),
                    (.admit("a"), []), (.receive("a", 10), []),
                    (.admit("b"), ["wait: budget 86400 s"]), (.end("a", .verified("a")), []),
                    (
                        .end("b", .waits(.budget, until: WallInstant(unixSeconds: 86_400 * 20_001))),
                        ["b waits: budget", "tell 2: 1 of 2"]
                    ),
                    (.later(.seconds(86_400)), []), (.run, ["fetch b"]), (.admit("b"), []),
                ]
            },
            row("bytes that were set aside come back when a fetch ends early", bytesPerDay: 15) {
                [
                    (.add("app", [a, b]), ["tell 1"]), (.run, ["fetch a", "fetch b"]), (.admit("a"), []),
                    (.receive("a", 4), []), (.end("a", .refused(.hashMismatch)), ["a refused: hash-mismatch"]),
                    (.admit("b"), []), (.receive("b", 10), []),
                ]
            },
            row("a network that is gone ends the pass; one that is back begins the next") {
                [
                    (.add("app", [a, b]), ["tell 1"]), (.wait("app"), ["fetch a", "fetch b"]),
                    (.admit("a"), []), (.network(.disconnected), []), (.receive("a", 4), ["wait: offline"]),
                    (.admit("b"), ["wait: offline"]),
                    (.end("a", .waits(.offline)), ["a waits: offline"]),
                    // It was looked at again in the same pass, as the network had changed.
                    (.end("b", .waits(.offline)), ["b waits: offline", "fetch a", "fetch b"]),
                    (.end("a", .waits(.offline)), ["a waits: offline"]),
                    (.end("b", .waits(.offline)), ["b waits: offline", "tell 2: 0 of 2"]),
                    (.network(.connected), ["fetch a", "fetch b"]),
                ]
            },
            row("the same URL, wanted twice with different urgency, is fetched once at a time, the urgent one first") {
                let later = [Bench.item("a", .lazy)]
                let sooner = [Bench.item("a", .boot)]
                return [
                    (.add("later", later), ["tell 1"]), (.add("sooner", sooner), ["tell 2"]),
                    (.run, ["fetch a"]), (.wait("sooner"), []),
                    (.end("a", .verified("a")), ["fetch a", "tell 4: 1 of 1"]),
                    (.end("a", .verified("a")), ["pins of later, sooner"]), (.pinned, ["tell 3: 2 of 2"]),
                ]
            },
            row("the same URL, wanted by an urgent set while a lazy fetch is under way, waits for that") {
                [
                    (.add("later", [Bench.item("a", .lazy)]), ["tell 1"]), (.goOn, ["fetch a"]),
                    (.add("sooner", [Bench.item("a", .boot), b]), ["fetch b", "tell 2"]),
                    (.cancel("later"), ["cancel a"]),
                    // The beginning is the other set's too.
                    (.end("a", .refused(.cancelled)), ["fetch a", "tell 3"]),
                ]
            },
            row("the same URL with another content in a new list is not fetched before the old beginning is removed") {
                [
                    (.add("app", [a]), ["tell 1"]), (.goOn, ["fetch a"]),
                    (.add("app", [Bench.item("a", version: 2)]), ["cancel a"]),
                    (.end("a", .refused(.cancelled)), ["discard a"]), (.discarded("a"), ["fetch a", "tell 2"]),
                ]
            },
            row("a release is put in place as a whole") {
                placing + [(.switched("shop", [:]), ["pins of shop"]), (.pinned, ["tell 2: 2 of 2"])]
            },
            row("a release that is announced while the one before is being put in place waits for that") {
                placing + [
                    (.add("shop", newer), []), (.switched("shop", [:]), ["fetch style", "fetch page", "tell 3"]),
                ]
            },
            row("a cancel of a set that is being put in place takes effect after it") {
                placing + [(.cancel("shop"), []), (.switched("shop", [:]), ["pins of shop", "tell 3"])]
            },
            row("so does a removal; nothing of the set is listed then") {
                placing + [(.remove("shop"), []), (.switched("shop", [:]), ["tell 2", "tell 3"])]
            },
            row("a list that is added after a removal, while a release is being put in place, is fetched") {
                placing + [
                    (.remove("shop"), []), (.add("shop", newer), []),
                    (.switched("shop", [:]), ["fetch style", "fetch page", "tell 3", "tell 4"]),
                ]
            },
            row("a stop lets a release be put in place") {
                placing + [(.stop, []), (.switched("shop", [:]), ["pins of shop"]), (.pinned, ["tell 2: 2 of 2"])]
            },
            row("so does the end of an account; after it, nothing is started") {
                placing + [
                    (.close, []), (.switched("shop", [:]), ["pins of shop"]),
                    (.pinned, ["tell 2: 2 of 2", "tell 3"]),
                    (.add("app", [a]), ["tell 4"]), (.run, ["tell 5: 2 of 3"]), (.wait("app"), ["tell 6: 0 of 1"]),
                    (.goOn, []),
                ]
            },
            row("a stop before the last file has come leaves the release before in force") {
                [
                    (.add("shop", release), ["tell 1"]), (.run, ["fetch style", "fetch page"]),
                    (.end("page", .staged(Bench.staged("page"))), []), (.stop, ["cancel style"]),
                    (.end("style", .staged(Bench.staged("style"))), ["tell 2: 0 of 2"]),
                    (.run, ["switch shop"]), (.switched("shop", [:]), ["pins of shop"]),
                ]
            },
            row("a file that can't be put in place is fetched again, and all wait for it") {
                placing + [
                    (.add("shop", release), []),
                    (
                        .switched("shop", ["style": .failed(.diskFull)]),
                        ["style waits: disk-full", "tell 2: 0 of 2", "tell 3"]
                    ),
                    (.later(.seconds(60)), []), (.run, ["fetch style"]),
                    (.end("style", .staged(Bench.staged("style"))), ["switch shop"]),
                    (.switched("shop", [:]), ["pins of shop"]),
                ]
            },
            row("code that comes later is waited for, unless it is refused") {
                [
                    (.add("shop", release + [Bench.item("late.js", .lazy)]), ["tell 1"]),
                    (.run, ["fetch style", "fetch page", "fetch late.js"]),
                    (.end("page", .staged(Bench.staged("page"))), []),
                    (.end("style", .staged(Bench.staged("style"))), []),
                    (.end("late.js", .waits(.diskFull)), ["late.js waits: disk-full", "tell 2: 0 of 3"]),
                    (.run, ["fetch late.js"]),
                    (.end("late.js", .refused(.status)), ["late.js refused: status", "switch shop"]),
                ]
            },
            row("what has come while a release was being put in place follows it") {
                [
                    (.add("shop", release + [Bench.item("film", .lazy, as: .video)]), ["tell 1"]),
                    (.run, ["fetch style", "fetch page", "fetch film"]),
                    (.end("page", .staged(Bench.staged("page"))), []),
                    (.end("style", .staged(Bench.staged("style"))), ["switch shop"]),
                    (.end("film", .staged(Bench.staged("film"))), []),
                    (.switched("shop", [:]), ["place film"]), (.end("film", .verified("film")), ["pins of shop"]),
                ]
            },
            row("a release with a file that is refused is not put in place") {
                [
                    (.add("shop", release), ["tell 1"]), (.run, ["fetch style", "fetch page"]),
                    (.end("page", .staged(Bench.staged("page"))), []),
                    (
                        .end("style", .refused(.status)),
                        ["style refused: status", "page waits: incomplete-release", "tell 2: 0 of 2"]
                    ),
                ]
            },
            row("a document that hides no other one is put in place where its release is not") {
                [
                    (.add("shop", release), ["tell 1"]), (.run, ["fetch style", "fetch page"]),
                    (.end("page", .staged(Bench.staged("page", replaces: false))), []),
                    (.end("style", .refused(.status)), ["style refused: status", "place page"]),
                    (.end("page", .verified("page")), ["tell 2: 1 of 2"]),
                ]
            },
            row("beside a release that is shown, it waits") {
                [
                    (.add("shop", [Bench.item("style"), Bench.item("page", needs: .releaseInForce)]), ["tell 1"]),
                    (.run, ["fetch style", "fetch page"]),
                    (.end("page", .staged(Bench.staged("page", replaces: false))), []),
                    (
                        .end("style", .refused(.status)),
                        ["style refused: status", "page waits: incomplete-release", "tell 2: 0 of 2"]
                    ),
                ]
            },
            row("a full store is probed by one item at a time", perHost: 3) {
                let items = (1...5).map { Bench.item("\($0)") }
                return [
                    (.add("app", items), ["tell 1"]), (.goOn, ["fetch 1", "fetch 2", "fetch 3"]),
                    (.end("1", .failed(.diskFull)), ["1 waits: disk-full", "fetch 4"]),
                    (.end("2", .failed(.diskFull)), ["2 waits: disk-full", "fetch 5"]), (.admit("4"), []),
                    (.end("3", .failed(.diskFull)), ["3 waits: disk-full"]), (.admit("5"), ["wait: disk-full 60 s"]),
                    (.end("4", .failed(.diskFull)), ["4 waits: disk-full"]),
                    (.end("5", .waits(.diskFull)), ["5 waits: disk-full", "wake in 60 s"]),
                    (.later(.seconds(60)), ["no wake", "fetch 1", "fetch 2", "fetch 3"]), (.admit("1"), []),
                    (.admit("2"), ["wait: disk-full 1 s"]), (.end("1", .verified("1")), ["fetch 4"]), (.admit("2"), []),
                ]
            },
            row("Retry-After counts for the host, and wakes when it is over", perHost: 1) {
                let until = WallInstant(unixSeconds: 86_400 * 20_000 + 120)
                return [
                    (.add("app", [a, b]), ["tell 1"]), (.untilSettled, ["fetch a"]), (.admit("a"), []),
                    (.end("a", .retryAfter(.seconds(120))), ["a waits: retry-after", "fetch b"]),
                    (.admit("b"), ["wait: retry-after 120 s"]),
                    (.end("b", .waits(.retryAfter, until: until)), ["b waits: retry-after", "wake in 120 s"]),
                    (.later(.seconds(119)), ["no wake", "wake in 1 s"]), (.later(.seconds(1)), ["no wake", "fetch a"]),
                ]
            },
            row("a caller who leaves while others wait changes nothing; the last one has the set rest") {
                [
                    (.add("app", [a]), ["tell 1"]), (.wait("app"), ["fetch a"]), (.wait("app"), []),
                    (.giveUp(2), ["tell 2: 0 of 1"]), (.giveUp(2), []), (.giveUp(3), ["tell 3: 0 of 1", "cancel a"]),
                    // Added again before the fetch has ended.
                    (.add("app", [a]), ["tell 4"]), (.end("a", .refused(.cancelled)), ["fetch a"]),
                ]
            },
            row("a set that rests does not wake anybody") {
                [
                    (.add("app", [a]), ["tell 1"]), (.wait("app"), ["fetch a"]),
                    (.end("a", .retryAfter(.seconds(60))), ["a waits: retry-after", "wake in 60 s"]),
                    (.giveUp(2), ["tell 2: 0 of 1"]), (.later(.seconds(60)), ["no wake"]), (.later(.seconds(60)), []),
                ]
            },
            row("a run that is called while pins are settled is a pass of its own") {
                [
                    (.add("app", [a]), ["tell 1"]), (.run, ["fetch a"]), (.end("a", .verified("a")), ["pins of app"]),
                    (.add("more", [b]), ["tell 3"]), (.run, []), (.pinned, ["fetch b"]),
                    (.end("b", .verified("b")), ["pins of more"]), (.pinned, ["tell 2: 2 of 2", "tell 4: 2 of 2"]),
                ]
            },
        ])
    func sequence(_ row: Row) {
        var bench = Bench(row.configure)
        for (number, (step, expected)) in row.steps().enumerated() {
            let actions = bench.take(step)
            #expect(actions == expected, "step \(number): \(step)")
        }
    }
}
