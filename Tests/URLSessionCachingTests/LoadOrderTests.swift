import CacheEngine
import CacheTesting
import HTTPTypes
import Locking
import Testing

@testable import Fetching
@testable import URLSessionCaching

/// Starts, stops and suspensions before, during and after each step of an answer.
///
/// The model of a load is short: what its client got is a beginning of the content; all of it if it has finished;
/// nothing once it was stopped. ``RecordingClient`` records calls in a wrong order. The choices depend on the seed
/// alone; which thread is first does not.
@Suite("Loads under random orders of calls", .timeLimit(.minutes(60)))
struct LoadOrderTests {
    private struct Plan: Sendable {
        var pieces: [[UInt8]]
        var isRedirect: Bool
        var followsRedirects: Bool
        var answerFails: Bool
        var contentFails: Bool
        var stops: Bool
        /// How often the answer and each piece wait for others.
        var delay: Int
        var steps: [Int]
        /// At which call of the client something happens within it, and what.
        var within: (place: Int, step: Int)

        init(_ random: inout SplitMix64) {
            pieces = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                (0..<Int.random(in: 1...3, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
            }
            isRedirect = Int.random(in: 0..<4, using: &random) == 0
            followsRedirects = Bool.random(using: &random)
            answerFails = Int.random(in: 0..<8, using: &random) == 0
            contentFails = Int.random(in: 0..<6, using: &random) == 0
            stops = Bool.random(using: &random)
            delay = Int.random(in: 0...3, using: &random)
            steps = (0..<Int.random(in: 0...8, using: &random)).map { _ in Int.random(in: 0..<7, using: &random) }
            within = (Int.random(in: 0..<8, using: &random), Int.random(in: 0..<4, using: &random))
        }
    }

    @Test("no call after stop or the end, no second head, no lost byte, and all content read or cancelled")
    func orders() async {
        var random = SplitMix64(seed: 7)
        for number in 0..<RandomOrders.count {
            let plan = Plan(&random)
            // Expectations are slow, so only what is wrong is recorded.
            for fault in await play(plan) { Issue.record("\(fault), order \(number): \(plan)") }
        }
    }

    private func play(_ plan: Plan) async -> [String] {
        let client = RecordingClient(followsRedirects: plan.followsRedirects)
        let (thread, clock) = (QueueThread(), ManualClock())
        let source = ScriptedBody(plan.pieces, ends: false)
        source.end(throwing: plan.contentFails ? CancellationError() : nil)
        let answers = LockedBox(0)
        let answer = LoadAnswer.pending {
            for _ in 0..<plan.delay { await Task.yield() }
            answers.withLock { $0 += 1 }
            if plan.answerFails { return .failed(EngineError(code: .disconnected, message: "")) }
            let (head, body) = (HTTPResponse(status: .ok), ResponseBody.stream(source, length: nil))
            let redirect = LoadRedirect(url: "https://a.test/", method: "GET", removedFields: [], keepsContent: false)
            let response = LoadResponse(head: head, body: body)
            return plan.isRedirect ? .redirect(redirect, response) : .ready(response)
        }
        let load = Load(client, on: thread, answer: answer, timeout: .seconds(60), clock: clock.engineClock)
        let calls = LockedBox(0)
        client.whenCalled { _ in
            let place = calls.withLock { calls in
                defer { calls += 1 }
                return calls
            }
            if place == plan.within.place { Self.take(plan.within.step, load, client) }
        }
        // Some are stopped before they are started.
        for step in plan.steps {
            switch step {
            case 0...3: thread.performNow { Self.take(step, load, client) }
            case 4: clock.advance(by: Load.suspensionCheck)
            default: await Task.yield()
            }
        }
        thread.performNow { load.start() }
        if plan.stops { thread.performNow { Self.take(0, load, client) } }
        return await end(plan, client, clock, source, answers)
    }

    /// On the client's thread.
    private static func take(_ step: Int, _ load: Load, _ client: RecordingClient) {
        switch step {
        case 0:
            load.stop()
            client.stopped()
        case 1: load.start()
        case 2: client.isSuspended = true
        default: client.isSuspended = false
        }
    }

    private func end(
        _ plan: Plan, _ client: RecordingClient, _ clock: ManualClock, _ source: ScriptedBody, _ answers: LockedBox<Int>
    ) async -> [String] {
        client.isSuspended = false
        var turns = 0
        while !client.isOver, !client.isStopped, turns < 200_000 {
            if turns > 1_000 { client.isSuspended = false }
            // What waits for the clock: a suspended client, and a redirect that nobody follows.
            clock.advance(by: Load.suspensionCheck)
            await Task.yield()
            turns += 1
        }
        var faults = client.faults
        let (bytes, content) = (client.bytes, plan.pieces.flatMap { $0 })
        if !content.starts(with: bytes) { faults.append("other bytes than the content's") }
        if client.calls.last == .finish, plan.contentFails || bytes != content {
            faults.append("an end without all bytes")
        }
        if !client.isOver, !client.isStopped { faults.append("a load that was left") }
        if case .fail(let name)? = client.calls.last, !plan.answerFails, !plan.contentFails {
            // The clock runs fast here.
            if name != "timed-out" { faults.append("a failure that nobody caused: \(name)") }
        }
        // A late answer's content has to be discarded.
        turns = 0
        while answers.withLock({ $0 }) == 1, !plan.answerFails, !isRead(source, plan), turns < 200_000 {
            await Task.yield()
            turns += 1
        }
        if turns == 200_000 { faults.append("content that is left open") }
        return faults
    }

    /// A body that has given everything has no end to be cancelled.
    private func isRead(_ source: ScriptedBody, _ plan: Plan) -> Bool {
        source.isCancelled || source.pulledBytes == Int64(plan.pieces.joined().count)
    }
}
