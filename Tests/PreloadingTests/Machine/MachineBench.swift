import CacheEngine
import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

@testable import Preloading

/// A machine whose actions are written down and done by hand.
struct MachineBench {
    static let base = "https://shop.test/"

    var machine: PreloadMachine
    var now = WallInstant(unixSeconds: 86_400 * 20_000)
    var connectivity = Connectivity.connected
    /// Planned pins that are not settled yet.
    var plans: [PreloadMachine.PinPlan]?
    /// By path, the task that works on it.
    var tasks: [String: Int] = [:]
    /// Items that are being put in place, by set.
    var switching: [String: [(id: Int, path: String)]] = [:]

    init(_ configure: (inout PreloadConfiguration) -> Void = { _ in }) {
        var configuration = PreloadConfiguration()
        configure(&configuration)
        machine = PreloadMachine(configuration)
    }

    // MARK: Values

    static func item(
        _ path: String, size: Int64? = 10, _ group: PreloadGroup = .page, needs: DocumentNeeds? = nil,
        version: UInt8 = 1, as destination: PreloadDestination = .script
    ) -> PreloadItem {
        var item = PreloadItem(
            url: base + path, content: digest(version).map { .init(sha256: $0, size: size.map { ByteCount($0) }) },
            destination: needs == nil ? destination : .document, group: group)
        if size == nil { item.content = nil }
        item.needs = needs
        return item
    }

    private static func digest(_ version: UInt8) -> BodyDigest? { BodyDigest([UInt8](repeating: version, count: 32)) }

    /// A verified response that a fetch has staged.
    static func staged(_ path: String, replaces: Bool = true) -> StagedResponse {
        let head = HTTPRequest(method: .get, scheme: "https", authority: "shop.test", path: "/" + path)
        let request = EngineRequest(head: head)
        let hop = PreloadFetch.Hop(
            url: base + path, request: request, key: CacheKey(uri: base + path), staged: request, replaces: replaces)
        return StagedResponse(hops: [hop], source: .network)
    }

    static func path(_ item: PreloadItem) -> String { String(item.url.dropFirst(base.count)) }

    // MARK: Steps

    enum Step {
        case add(String, [PreloadItem])
        case cancel(String)
        case remove(String)
        case run, untilSettled, wait(String), goOn, stop, close
        /// The task of a caller is cancelled.
        case giveUp(Int)
        /// A fetch asks whether it may send.
        case admit(String)
        case receive(String, Int64)
        case end(String, PreloadFetch.Outcome)
        case discarded(String)
        /// All of a set's release is in its place, but for what has another outcome; then nothing is.
        case switched(String, [String: PreloadFetch.Outcome])
        case pinned
        case later(Duration)
        case network(Connectivity)
    }

    /// - Returns: The actions that follow, such as `fetch a.js`.
    mutating func take(_ step: Step) -> [String] {
        switch step {
        case .add(let set, let items): change(set, .list(items) { _ in true })
        case .cancel(let set): change(set, .cancel)
        case .remove(let set): change(set, .remove)
        case .run: call(.pass)
        case .untilSettled: call(.everything(patience: .seconds(600)))
        case .wait(let set): call(.set(set, patience: .seconds(600)))
        case .goOn: note(machine.goOn(at: now))
        case .stop: note(machine.stop(at: now))
        case .close: call(.end)
        case .giveUp(let caller): note(machine.cancelled(caller, at: now))
        case .admit(let path): text(machine.admit(task(path), host: "shop.test", connectivity, at: now))
        case .receive(let path, let count):
            text(machine.received(ByteCount(count), by: task(path), isWanted: false, connectivity, at: now))
        case .end(let path, let outcome): note(machine.ended(end(path), outcome, received: .zero, at: now))
        case .discarded(let path): note(machine.discarded(end(path), at: now))
        case .switched(let set, let others): switched(set, others)
        case .pinned:
            note(machine.pinsSettled((plans ?? []).map(\.set), at: now))
        case .later(let duration):
            later(duration)
        case .network(let connectivity):
            changed(to: connectivity)
        }
    }

    private mutating func later(_ duration: Duration) -> [String] {
        now = now + duration
        return note(machine.look(at: now))
    }

    private mutating func changed(to connectivity: Connectivity) -> [String] {
        self.connectivity = connectivity
        return note(machine.look(at: now))
    }

    private mutating func change(_ set: String, _ change: PreloadMachine.Change) -> [String] {
        let caller = machine.newCaller()
        return note(machine.change(set, change, caller: caller, at: now))
    }

    private mutating func call(_ wish: PreloadMachine.Wish) -> [String] {
        let caller = machine.newCaller()
        return note(machine.call(caller, wish, at: now))
    }

    private mutating func switched(_ set: String, _ others: [String: PreloadFetch.Outcome]) -> [String] {
        let outcomes = (switching.removeValue(forKey: set) ?? []).map { id, path in
            (id: id, outcome: others[path] ?? (others.isEmpty ? .verified(path) : .staged(Self.staged(path))))
        }
        return note(machine.switched(set, outcomes, at: now))
    }

    private func task(_ path: String) -> Int { tasks[path] ?? 0 }

    private mutating func end(_ path: String) -> Int { tasks.removeValue(forKey: path) ?? 0 }

    private func text(_ wait: PreloadWait?) -> [String] {
        guard let wait else { return [] }
        return ["wait: \(wait.reason.rawValue)" + (wait.until.map { " \(($0 - now).components.seconds) s" } ?? "")]
    }

    private mutating func note(_ actions: [PreloadMachine.Action]) -> [String] {
        actions.compactMap { action in
            switch action {
            case .fetch(let id, let item, _, _):
                tasks[Self.path(item)] = id
                return "fetch \(Self.path(item))"
            case .putInPlace(let id, let item, _, _):
                tasks[Self.path(item)] = id
                return "place \(Self.path(item))"
            case .switchRelease(let set, let staged):
                switching[set] = staged.map { ($0.id, Self.path($0.item)) }
                return "switch \(set)"
            case .cancel(let id): return "cancel \(tasks.first { $0.value == id }?.key ?? "nothing")"
            case .discard(let id, let item, _):
                tasks[Self.path(item)] = id
                return "discard \(Self.path(item))"
            case .settlePins(let plans):
                self.plans = plans
                return "pins of " + plans.map(\.set).sorted().joined(separator: ", ")
            case .wake(let time): return time.map { "wake in \(($0 - now).components.seconds) s" } ?? "no wake"
            case .tell(let caller, let summary):
                return summary.items == 0 ? "tell \(caller)" : "tell \(caller): \(summary.verified) of \(summary.items)"
            case .report(.waiting(let item, _, let wait)): return "\(Self.path(item)) waits: \(wait.reason.rawValue)"
            case .report(.refused(let item, _, let refusal)):
                return "\(Self.path(item)) refused: \(refusal.reason.rawValue)"
            case .keep, .report, .note: return nil
            }
        }
    }
}

extension PreloadFetch.Outcome {
    static func verified(_ path: String) -> Self { .verified([CacheKey(uri: MachineBench.base + path)], .network) }
    static func failed(_ reason: PreloadRefusal.Reason) -> Self { .failed(PreloadRefusal(reason, "")) }
    static func refused(_ reason: PreloadRefusal.Reason) -> Self { .refused(PreloadRefusal(reason, "")) }
    static func waits(_ reason: PreloadRefusal.Reason, until: WallInstant? = nil) -> Self {
        .waiting(PreloadWait(reason, until: until))
    }
}
