import HTTPCacheSemantics

/// The whole table in one cell of the matrix.
///
/// Scenarios run in waves. Within a wave they keep to one clock: whatever is due at a moment runs at once, the origin
/// holds its answers until every request of that moment is out, and the next moment comes when everything has
/// settled. So each scenario sees just the times that its row gives.
struct CellRun {
    let cell: Cell
    let host: CacheHost
    private var scenarioCount = 0
    /// One for each place in a wave; kept from wave to wave, as is a connection that the proxy keeps.
    private var clients: [RawClient] = []
    /// Texts of rows that failed, each row once.
    private(set) var failures: [String] = []
    /// The most requests that were under way together.
    private(set) var mostAtOnce = 0

    init(_ cell: Cell, on host: CacheHost) {
        self.cell = cell
        self.host = host
    }

    mutating func run(_ rows: [Row]) async throws {
        try await runAll(rows)
        for client in clients { await client.close() }
    }

    private mutating func runAll(_ rows: [Row]) async throws {
        let rows = rows.filter { $0.kinds.includes(cell.kind) }
        let plain = rows.filter { !$0.isAlone && !$0.takesTime }
        // As few waves as there can be of at least that size; rows are repeated where there are too few.
        let waves = max(1, plain.count / cell.concurrency)
        let size = max(cell.concurrency, (plain.count + waves - 1) / waves)
        for start in stride(from: 0, to: waves * size, by: size) {
            try await runWave((start..<start + size).map { plain[$0 % plain.count] })
        }
        for row in rows where row.isAlone {
            try await runWave(Array(repeating: row, count: min(cell.concurrency, 25)))
        }
        for row in rows where row.takesTime { try await runWave([row]) }
    }

    private mutating func runWave(_ rows: [Row]) async throws {
        let start = host.clock.now
        while clients.count < rows.count { clients.append(RawClient(port: host.listener.port)) }
        var scenarios = zip(rows, clients).map { row, client -> Scenario in
            scenarioCount += 1
            return Scenario(
                row, token: "t\(scenarioCount)", client: client, originURL: host.originURL, start: start)
        }
        // As many as the proxy's listener surely takes at a time.
        for group in stride(from: 0, to: rows.count, by: 64) {
            try await connect(clients[group..<min(group + 64, rows.count)])
        }
        while let moment = Self.nextMoment(scenarios) {
            host.clock.setWallTime(start + .seconds(moment))
            let due = scenarios.indices.filter { scenarios[$0].due == moment }
            try await runStep(&scenarios, due)
        }
        let last = scenarios.flatMap(\.times).max() ?? 0
        host.clock.setWallTime(start + .seconds(last + 86_400))
        let known = Set(failures.map { $0.prefix { $0 != "\n" } })
        var new: Set<String> = []
        for scenario in scenarios {
            guard let text = scenario.failure, new.insert(scenario.row.description).inserted else { continue }
            if !known.contains(Substring(scenario.row.description)) { failures.append(text) }
        }
    }

    /// Moments come in order; those before the start, where a clock was set back, come last.
    private static func nextMoment(_ scenarios: [Scenario]) -> Int? {
        let due = scenarios.compactMap(\.due)
        return due.filter { $0 >= 0 }.min() ?? due.max()
    }

    private func connect(_ clients: ArraySlice<RawClient>) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in clients { group.addTask { try await client.connect() } }
            try await group.waitForAll()
        }
    }

    /// Runs the next step of these scenarios, all at once.
    private mutating func runStep(_ scenarios: inout [Scenario], _ due: [Int]) async throws {
        let (host, cell) = (host, cell)
        mostAtOnce = max(mostAtOnce, due.count)
        host.script.hold()
        let pending = try await withThrowingTaskGroup(of: (Int, RawClient.Pending).self) { group in
            for index in due {
                let scenario = scenarios[index]
                host.script.prepare(
                    scenario.token, scenario.step, number: scenario.next + 1, scenario.placeholders)
                group.addTask {
                    let sent = try await scenario.client.send(
                        scenario.request(in: cell.mode), method: scenario.step.method
                    ) { host.script.clientHas(scenario.token, $0) }
                    return (index, sent)
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        host.script.release()
        var answers: [Int: Message] = [:]
        for (index, answer) in pending { answers[index] = try await answer.get() }
        await host.settled()
        for index in due {
            scenarios[index].finish(
                answers[index], sent: host.script.requests(scenarios[index].token), in: cell)
        }
    }
}
