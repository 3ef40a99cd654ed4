import AppleFoundation
import CacheEngine
import CacheTesting
import Foundation
import HTTPTypes
import Locking
import Testing

@testable import URLSessionOnApple

/// A session that calls in any order, lawful or not, for tasks that are there or over, while the reader and the app
/// cancel.
@Suite("The adapter under random orders of calls", .timeLimit(.minutes(20)))
struct OrderTests {
    private struct Order: Sendable {
        var isLawful: Bool
        var steps: [Int]
        var cancelsAt: Int?
        var fails: Bool
        var sizes: [Int]

        init(seed: UInt64) {
            var random = SplitMix64(seed: seed)
            isLawful = Bool.random(using: &random)
            let count = Int.random(in: 0...10, using: &random)
            steps = (0..<count).map { _ in Int.random(in: 0..<8, using: &random) }
            sizes = (0..<count).map { _ in
                Int.random(in: 0..<40, using: &random) == 0 ? 300_000 : Int.random(in: 1...9, using: &random)
            }
            cancelsAt = Int.random(in: 0..<4, using: &random) == 0 ? Int.random(in: 0...10, using: &random) : nil
            fails = Int.random(in: 0..<4, using: &random) == 0
            if isLawful {
                // Interim responses, the head, then content.
                steps = steps.filter { $0 == 2 || $0 == 6 }.sorted { ($0 == 6 ? 0 : 1) < ($1 == 6 ? 0 : 1) }
                steps.insert(1, at: steps.firstIndex(of: 2) ?? steps.count)
            }
        }
    }

    /// - Returns: What was wrong.
    private func play(_ order: Order, _ session: LockedBox<URLSessionTask?>, _ transport: URLSessionOriginTransport)
        async -> [String]
    {
        session.withLock { $0 = nil }
        var head = HTTPRequest(method: .get, scheme: "https", authority: "shop.test", path: "/")
        var request = TransportRequest(head: head)
        if !order.isLawful {
            head.method = .post
            request = TransportRequest(head: head, body: RequestBody(ScriptedBody([[1, 2, 3]]), length: 3))
        }
        let (sent, read) = (LockedBox(0), LockedBox(0))
        let app = Task { [request] in
            let response = try await transport.send(request)
            var count = 0
            while let piece = try await response.body.next() {
                count += piece.count
                read.withLock { [count] in $0 = count }
            }
            return count
        }
        while session.withLock({ $0 }) == nil { await Task.yield() }
        guard let task = session.withLock({ $0 }) as? URLSessionDataTask else { return ["no task"] }
        var faults: [String] = []
        for (place, step) in order.steps.enumerated() {
            if order.cancelsAt == place { app.cancel() }
            let size = place < order.sizes.count ? order.sizes[place] : 1
            _ = task.session.tellNow { delegate in Self.call(delegate, step, task, size, sent) }
            // The reader may do what the session's call led to, such as suspend the task: once it has read all, that is
            // done.
            let hasRead = { read.withLock { $0 } >= sent.withLock { $0 } }
            if order.isLawful {
                while task.told.cancels == 0, !task.told.isRunning || !hasRead() { await Task.yield() }
            }
        }
        if order.cancelsAt == order.steps.count { app.cancel() }
        _ = task.session.tellNow { delegate in
            _ = task.end()
            delegate.urlSession(
                task.session, task: task, didCompleteWithError: order.fails ? URLError(.networkConnectionLost) : nil)
        }
        // What comes after the end is about nothing.
        if !order.isLawful {
            for step in order.steps {
                _ = task.session.tellNow { delegate in Self.call(delegate, step, task, 1, LockedBox(0)) }
            }
        }
        let result = await app.result
        faults += task.told.faults
        // Where nobody cancels, nothing is under way when the task ends.
        if order.isLawful, order.cancelsAt == nil { faults += task.told.lateCalls }
        if case .success(let count) = result {
            if order.fails { faults.append("a failed response ended well") }
            if count != sent.withLock({ $0 }) { faults.append("\(count) bytes of \(sent.withLock { $0 })") }
        } else if order.isLawful, !order.fails, order.cancelsAt == nil {
            faults.append("a whole response failed: \(result)")
        }
        return faults
    }

    private static func call(
        _ delegate: any URLSessionDataDelegate, _ step: Int, _ task: URLSessionDataTask, _ size: Int,
        _ sent: LockedBox<Int>
    ) {
        let session = task.session
        let status = [1: 200, 4: 302, 6: 103][step] ?? 200
        guard let url = task.request.url,
            let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: [:])
        else { return }
        switch step {
        case 0:
            delegate.urlSession(session, task: task) { (stream: InputStream?) in _ = stream }
        case 1:
            delegate.urlSession(session, dataTask: task, didReceive: response) { _ in }
        case 2, 3:
            sent.withLock { $0 += size }
            delegate.urlSession(session, dataTask: task, didReceive: Data(repeating: 7, count: size))
        case 4:
            delegate.urlSession(
                session, task: task, willPerformHTTPRedirection: response, newRequest: task.request
            ) { _ in }
        case 5:
            delegate.urlSession(
                session, task: task, didSendBodyData: 1, totalBytesSent: 1, totalBytesExpectedToSend: 3)
        case 6:
            delegate.urlSession(session, task: task, didReceiveInformationalResponse: response)
        default:
            delegate.urlSession(
                session, task: task,
                didFinishCollecting: URLSessionTaskMetrics([URLSessionTaskTransactionMetrics()]))
        }
    }

    @Test("random orders: a task is told nothing after its end, a request ends once, and no bytes are lost")
    func orders() async {
        let started = LockedBox<URLSessionTask?>(nil)
        let transport = URLSession.$simulation.withValue(.init { task in started.withLock { $0 = task } }) {
            URLSessionOriginTransport()
        }
        for seed in 0..<RandomOrders.count {
            let faults = await play(Order(seed: seed), started, transport)
            guard faults.isEmpty else {
                Issue.record("seed \(seed): \(faults)")
                return
            }
        }
        #expect(transport.openTasks == 0)
    }
}
