import CacheRules
import CacheTesting
import HTTPCacheSemantics
import Testing

@testable import Preloading

/// Events in any order that the queue could bring them in.
@Suite("The machine of preloads, in any order")
struct PreloadMachineOrderTests {
    @Test("its invariants hold after each of 3,000 events", arguments: 1...40 as ClosedRange<UInt64>)
    func random(_ seed: UInt64) {
        var scene = RandomScene(seed)
        for step in 0..<3_000 {
            scene.act()
            scene.check("seed \(seed), step \(step)")
            if scene.isBroken { return }
        }
        scene.finish("seed \(seed)")
    }
}

/// A machine with a world that does what it asks for, sooner or later.
private struct RandomScene {
    enum Task {
        case fetch(PreloadItem, set: String, hold: StagedResponse.Hold, isAdmitted: Bool, left: Int64)
        case placement(PreloadItem, set: String)
        case removal(PreloadItem)

        var item: PreloadItem {
            switch self {
            case .fetch(let item, _, _, _, _), .placement(let item, _), .removal(let item): item
            }
        }
    }

    /// One broken invariant breaks others; the first says most.
    private final class Verdict {
        var isBroken = false
    }

    static let limit = ByteCount(200)
    static let sets = ["one", "two", "shop"]

    var machine: PreloadMachine
    var random: SplitMix64
    var now = WallInstant(unixSeconds: 86_400 * 20_000)
    var connectivity = Connectivity.connected
    var tasks: [Int: Task] = [:]
    var cancelled: Set<Int> = []
    var plans: [PreloadMachine.PinPlan]?
    /// Releases that are being put in place, by set.
    var switching: [String: [(id: Int, item: PreloadItem, staged: StagedResponse)]] = [:]
    /// Callers who have not been told, and those who have.
    var waiting: Set<Int> = []
    var told: Set<Int> = []
    private let verdict = Verdict()
    var version: UInt8 = 1

    init(_ seed: UInt64) {
        random = SplitMix64(seed: seed)
        var configuration = PreloadConfiguration()
        configuration.atOnce = 4
        configuration.atOncePerHost = 3
        configuration.budget.bytesPerDay = Self.limit
        machine = PreloadMachine(configuration)
    }

    // MARK: Events

    mutating func act() {
        switch Int.random(in: 0..<100, using: &random) {
        case ..<4: change(.list(list(), again: { _ in true }))
        case ..<5: change(.cancel)
        case ..<6: change(.remove)
        case ..<9: call(.pass)
        case ..<11: call(.everything(patience: .seconds(100)))
        case ..<14: call(.set(Self.sets.randomElement(using: &random) ?? "", patience: .seconds(100)))
        case ..<16:
            let caller = waiting.sorted().randomElement(using: &random) ?? 0
            take(machine.cancelled(caller, at: now))
        case ..<17: take(machine.stop(at: now))
        case ..<18: take(machine.goOn(at: now))
        case ..<20:
            let isNeeded = Bool.random(using: &random)
            take(machine.expect(set: "one", { _ in isNeeded }, at: now))
        case ..<24:
            let all: [Connectivity] = [.connected, .connected, .disconnected, .init(isExpensive: true)]
            connectivity = all.randomElement(using: &random) ?? .connected
            take(machine.look(at: now))
        case ..<30:
            now = now + .seconds(Int64.random(in: 1...3_000, using: &random))
            take(machine.look(at: now))
        case ..<35: settlePins()
        default: work()
        }
    }

    private mutating func list() -> [PreloadItem] {
        if Int.random(in: 0..<3, using: &random) == 0 { version = version % 200 + 1 }
        return (0..<Int.random(in: 0...6, using: &random)).map { _ in
            let path = ["a", "b", "c", "d", "e"].randomElement(using: &random) ?? "a"
            let group = PreloadGroup.allCases.randomElement(using: &random) ?? .page
            let size: Int64 = [5, 20, 90, 500].randomElement(using: &random) ?? 5
            var needs: DocumentNeeds?
            if path < "c" { needs = Bool.random(using: &random) ? .release : .labels([""]) }
            return MachineBench.item(path, size: size, group, needs: needs, version: version)
        }
    }

    private mutating func change(_ change: PreloadMachine.Change) {
        let (set, caller) = (Self.sets.randomElement(using: &random) ?? "", machine.newCaller())
        waiting.insert(caller)
        take(machine.change(set, change, caller: caller, at: now))
    }

    private mutating func call(_ wish: PreloadMachine.Wish) {
        let caller = machine.newCaller()
        waiting.insert(caller)
        take(machine.call(caller, wish, at: now))
    }

    private mutating func settlePins() {
        guard let plans else { return }
        self.plans = nil
        take(machine.pinsSettled(plans.map(\.set).filter { _ in Int.random(in: 0..<5, using: &random) > 0 }, at: now))
    }

    /// Has one task go on.
    private mutating func work() {
        if Int.random(in: 0..<4, using: &random) == 0, let set = switching.keys.sorted().randomElement(using: &random) {
            return endSwitch(of: set)
        }
        guard let id = tasks.keys.sorted().randomElement(using: &random), let task = tasks[id] else { return }
        switch task {
        case .removal:
            tasks[id] = nil
            take(machine.discarded(id, at: now))
        case .placement(let item, _):
            end(id, place(item))
        case .fetch(let item, let set, let hold, let isAdmitted, let left):
            if cancelled.contains(id), Bool.random(using: &random) { return end(id, .refused(.cancelled)) }
            guard isAdmitted else {
                if let wait = machine.admit(id, host: "shop.test", connectivity, at: now) {
                    return end(id, .waiting(wait))
                }
                tasks[id] = .fetch(item, set: set, hold: hold, isAdmitted: true, left: left)
                return
            }
            let count = min(left, Int64.random(in: 1...40, using: &random))
            if let wait = machine.received(
                ByteCount(count), by: id, isWanted: false, connectivity, at: now), left > count
            {
                return end(id, .waiting(wait))
            }
            tasks[id] = .fetch(item, set: set, hold: hold, isAdmitted: true, left: left - count)
            if left == count { end(id, fetched(item, hold)) }
        }
    }

    private mutating func fetched(_ item: PreloadItem, _ hold: StagedResponse.Hold) -> PreloadFetch.Outcome {
        let replaces = Bool.random(using: &random)
        switch Int.random(in: 0..<12, using: &random) {
        case 0: return .refused(.hashMismatch)
        case 1: return .failed(.truncated)
        case 2: return .failed(.diskFull)
        case 3: return .retryAfter(.seconds(120))
        case 4: return .silent(PreloadRefusal(.network, ""))
        default:
            let path = MachineBench.path(item)
            let isHeld = hold == .always || hold == .replacementsOnly && replaces
            return isHeld ? .staged(MachineBench.staged(path, replaces: replaces)) : .verified(path)
        }
    }

    private mutating func place(_ item: PreloadItem) -> PreloadFetch.Outcome {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: .failed(.diskFull)
        case 1: .failed(.truncated)
        default: .verified(MachineBench.path(item))
        }
    }

    private mutating func endSwitch(of set: String) {
        let staged = switching.removeValue(forKey: set) ?? []
        let failed = Int.random(in: 0..<3, using: &random) == 0 ? staged.randomElement(using: &random)?.id : nil
        let outcomes = staged.map { id, item, staged in
            let path = MachineBench.path(item)
            return (id: id, outcome: failed == nil ? .verified(path) : id == failed ? place(item) : .staged(staged))
        }
        // Where one fails, none is in its place.
        guard failed == nil || outcomes.contains(where: { if case .failed = $0.outcome { true } else { false } }) else {
            switching[set] = staged
            return
        }
        take(machine.switched(set, outcomes, at: now))
    }

    private mutating func end(_ id: Int, _ outcome: PreloadFetch.Outcome) {
        tasks[id] = nil
        cancelled.remove(id)
        take(machine.ended(id, outcome, received: .zero, at: now))
    }

    // MARK: Actions

    private mutating func take(_ actions: [PreloadMachine.Action]) {
        for action in actions {
            switch action {
            case .fetch(let id, let item, let set, let hold):
                begin(id, .fetch(item, set: set, hold: hold, isAdmitted: false, left: item.content?.size?.bytes ?? 1))
            case .putInPlace(let id, let item, let set, _):
                begin(id, .placement(item, set: set))
                if item.needs != nil, !isFirstOfItsKind(id) { expect(filesAreInPlace(set), "files first: \(set)") }
            case .switchRelease(let set, let staged):
                expect(switching[set] == nil, "one switch a set: \(set)")
                switching[set] = staged
                let (ids, entries) = (Set(staged.map(\.id)), machine.entries)
                let others = entries.filter { $0.value.set == set && !ids.contains($0.key) }
                expect(
                    others.values.allSatisfy {
                        $0.isVerified || $0.isAbsent || $0.item.isOptional || $0.item.group == .lazy
                    },
                    "all of it at once: \(set)")
            case .discard(let id, let item, _): begin(id, .removal(item))
            case .cancel(let id): cancelled.insert(id)
            case .settlePins(let all):
                expect(plans == nil, "pins are settled once at a time")
                plans = all
            case .tell(let caller, _):
                let isFirst = waiting.remove(caller) != nil && told.insert(caller).inserted
                expect(isFirst, "caller \(caller) is told once")
            case .wake, .keep, .report, .note: break
            }
        }
    }

    private mutating func begin(_ id: Int, _ task: Task) {
        expect(!tasks.values.contains { $0.item.url == task.item.url }, "one task a URL: \(task)")
        expect(tasks[id] == nil, "one task an item: \(task)")
        tasks[id] = task
    }

    private func isFirstOfItsKind(_ id: Int) -> Bool { machine.entries[id]?.staged?.replaces == false }

    /// Whether no file of a release, but for `lazy` ones, is still to come.
    private func filesAreInPlace(_ set: String) -> Bool {
        machine.entries.values.allSatisfy { entry in
            entry.set != set || entry.isDocument || entry.item.group == .lazy || entry.isVerified
        }
    }

    // MARK: Invariants

    var isBroken: Bool { verdict.isBroken }

    func expect(_ holds: Bool, _ what: @autoclosure () -> String, _ place: @autoclosure () -> String = "") {
        guard !holds, !isBroken else { return }
        verdict.isBroken = true
        Issue.record("\(what()) \(place())")
    }

    func check(_ place: @autoclosure () -> String) {
        let reserved = machine.entries.values.reduce(into: ByteCount.zero) { $0 += $1.reserved }
        let left = machine.spending.left(at: now) ?? .zero
        expect(left >= .zero && machine.spending.spent <= Self.limit, "spent \(machine.spending)", place())
        expect(reserved <= Self.limit, "reserved \(reserved)", place())
        let working = tasks.values.count { if case .removal = $0 { false } else { true } }
        let all = working + switching.count
        expect(machine.underWay == all && working <= 4, "under way: \(machine.underWay), \(all)", place())
        expect(Set(machine.busy.values) == Set(tasks.keys), "busy: \(machine.busy), \(tasks)", place())
        for (name, set) in machine.sets {
            let entries = set.ids.compactMap { machine.entries[$0] }
            expect(entries.count == set.ids.count && entries.allSatisfy { $0.set == name }, "\(name)'s items", place())
            expect(set.open == entries.count(where: \.isOpen), "\(name)'s open items: \(set.open)", place())
            if case .arriving(let progress)? = set.release {
                expect(progress.pending >= 0, "\(name)'s pending: \(progress.pending)", place())
                for case .placing(let staged) in entries.map(\.state) {
                    expect(!staged.replaces, "\(name) is replaced before it is whole", place())
                }
            }
        }
        if machine.phase == .resting {
            expect(all == 0 && plans == nil, "at rest, but \(tasks), \(switching)", place())
        }
        expect(
            Set(machine.callers.keys).union(deferred) == waiting, "callers \(machine.callers.keys), \(waiting)", place()
        )
    }

    private var deferred: Set<Int> { Set(machine.sets.values.flatMap(\.changes).map(\.caller)) }

    /// Ends, and brings everything that is under way to its end.
    mutating func finish(_ place: String) {
        call(.end)
        for _ in 0..<10_000 where machine.phase != .closed || !tasks.isEmpty || !switching.isEmpty {
            settlePins()
            work()
            check(place)
        }
        expect(machine.phase == .closed && waiting.isEmpty && machine.callers.isEmpty, "it ends", place)
        expect(tasks.isEmpty && machine.leaving.isEmpty && machine.busy.isEmpty, "it ends idle", place)
        expect(machine.parked.isEmpty && machine.placements.isEmpty, "nothing is left", place)
        let reserved = machine.entries.values.contains { $0.reserved > .zero }
        expect(!reserved, "nothing is set aside", place)
    }
}
