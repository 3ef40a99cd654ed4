import CacheTesting
import Foundation

/// Plays many histories from one seed.
struct ModelRun: Sendable {
    /// How the exchanges of a run were answered.
    struct Counts: Sendable {
        var exchanges = 0
        /// From the store, without asking the origin.
        var hits = 0
        /// From the store after a 304.
        var validated = 0
        /// From the store after the origin failed.
        var stale = 0
        /// Error answers of the cache's own.
        var errors = 0

        mutating func add(_ exchange: ModelExchange) {
            exchanges += 1
            if exchange.answer.failure != nil {
                errors += 1
            } else if exchange.contacts.isEmpty {
                hits += 1
            } else if exchange.contacts.last?.response == nil {
                stale += 1
            } else if exchange.contacts.last?.response?.status == 304, exchange.answer.status != 304 {
                validated += 1
            }
        }
    }

    struct Result: Sendable {
        var counts = Counts()
        /// The first failures, as whole histories.
        var stories: [String] = []
    }

    /// Determines every choice.
    var seed: UInt64
    /// How many exchanges to play at least.
    var exchanges: Int
    /// How many histories are played at once.
    var workers = 2
    /// How many failures end the run.
    var failures = 1
    var reportsProgress = false

    /// A small run, the same every time, unless the environment says otherwise.
    static func fromEnvironment() -> ModelRun {
        let environment = ProcessInfo.processInfo.environment
        func number<Number: LosslessStringConvertible>(_ name: String) -> Number? {
            environment["LARDER_MODEL_" + name].flatMap { Number($0) }
        }
        return ModelRun(
            seed: number("SEED") ?? 9111, exchanges: number("EXCHANGES") ?? 20_000, failures: number("FAILURES") ?? 1,
            reportsProgress: environment["LARDER_MODEL_EXCHANGES"] != nil)
    }

    func play() async -> Result {
        var result = Result()
        var next: UInt64 = 0
        var reported = 0
        await withTaskGroup(of: (UInt64, HistoryPlan, PlayedHistory).self) { group in
            func add() {
                let seed = Self.mixed(seed, next)
                next += 1
                group.addTask {
                    var history = RandomHistory(seed: seed)
                    let plan = history.plan()
                    return (seed, plan, await HistoryPlay(plan).run())
                }
            }
            for _ in 0..<workers { add() }
            while let (seed, plan, history) = await group.next() {
                for exchange in history.exchanges { result.counts.add(exchange) }
                if let complaint = history.complaint {
                    result.stories.append(await Self.story(seed, plan, history, complaint))
                    if result.stories.count >= failures { break }
                }
                let step = max(1, exchanges / 20)
                if reportsProgress, result.counts.exchanges / step > reported {
                    reported = result.counts.exchanges / step
                    FileHandle.standardError.write(Data("model: \(result.counts)\n".utf8))
                }
                if result.counts.exchanges < exchanges { add() }
            }
            group.cancelAll()
        }
        return result
    }

    /// One seed for each history, far from its neighbours.
    private static func mixed(_ seed: UInt64, _ number: UInt64) -> UInt64 {
        var random = SplitMix64(seed: seed &+ number &* 0x2545_F491_4F6C_DD1D)
        return random.next()
    }

    private static func story(
        _ seed: UInt64, _ plan: HistoryPlan, _ history: PlayedHistory, _ complaint: String
    ) async -> String {
        let shrunk = await Shrinking().shrink(plan, complaint: complaint)
        let smallest = await HistoryPlay(shrunk).run()
        return """
            The cache did what the model does not allow. The history, \
            of a \(plan.isShared ? "shared" : "private") cache, with seed \(seed):
            \(HistoryText.lines(of: history))
            Shrunk:
            \(HistoryText.lines(of: smallest))
            """
    }
}

extension ModelRun.Counts: CustomStringConvertible {
    var description: String {
        "\(exchanges) exchanges, \(hits) hits, \(validated) validated, \(stale) stale after a failure, \(errors) errors"
    }
}
