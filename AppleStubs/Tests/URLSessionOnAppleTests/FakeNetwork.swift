import AppleFoundation
import CacheTesting
import Foundation
import HTTPTypes
import Locking

/// What a session does for its tasks: plays the steps of an origin in calls of the delegate, as Apple documents them.
final class FakeNetwork: Sendable {
    private struct State {
        var received: [ReceivedRequest] = []
        var tasks: [URLSessionTask] = []
        var pipes: [StreamPipe] = []
        var sentBytes: Int64 = 0
        var faults: [String] = []
    }

    private let script: TransportConformance.Script
    private let state = LockedBox(State())

    init(_ script: @escaping TransportConformance.Script) { self.script = script }

    var received: [ReceivedRequest] { state.withLock { $0.received } }
    var sentBytes: Int64 { state.withLock { $0.sentBytes } }
    var simulation: URLSession.Simulation { .init { task in self.start(task) } }

    /// What was done to a task or a stream that must not be done.
    var faults: [String] {
        let (tasks, pipes, own) = state.withLock { ($0.tasks, $0.pipes, $0.faults) }
        return own + tasks.flatMap(\.told.faults) + pipes.flatMap(\.faults)
    }

    /// Returns once nothing was sent for a thousand turns of the delegate's queue.
    func settle() async {
        var (still, last) = (0, (Int64(-1), -1))
        while still < 1_000 {
            await Task.yield()
            if let session = state.withLock({ $0.tasks.last })?.session {
                await withCheckedContinuation { continuation in session.tell { _ in continuation.resume() } }
            }
            let now = state.withLock { ($0.sentBytes, $0.tasks.count) }
            still = now == last ? still + 1 : 0
            last = now
        }
    }

    private func start(_ task: URLSessionTask) {
        var fields = HTTPFields()
        for (name, value) in task.request.allHTTPHeaderFields ?? [:] {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        let url = task.request.url
        let request = ReceivedRequest(
            method: task.request.httpMethod ?? "", target: url?.path ?? "", fields: fields, isComplete: !task.isUpload)
        let number = state.withLock { state in
            state.tasks.append(task)
            state.received.append(request)
            return state.received.count - 1
        }
        let player = Player(task, self)
        // The task keeps its player until it ends.
        task.onChange { player.goOn() }
        if !task.isUpload || request.target.hasPrefix("/early") { player.play(script(request)) }
        if task.isUpload { upload(task, number, player) }
    }

    private func upload(_ task: URLSessionTask, _ number: Int, _ player: Player) {
        task.session.tell { delegate in
            delegate.urlSession(task.session, task: task) { (stream: InputStream?) in
                guard let pipe = (stream as? BoundInputStream)?.pipe else { return }
                self.state.withLock { $0.pipes.append(pipe) }
                pipe.onChange.withLock { $0 = { self.read(pipe, task, number, player) } }
            }
        }
    }

    private func read(_ pipe: StreamPipe, _ task: URLSessionTask, _ number: Int, _ player: Player) {
        task.session.tell { delegate in
            let (bytes, isOver) = pipe.read()
            guard task.told.cancels == 0 else { return player.goOn() }
            let (request, isNew) = self.state.withLock { state -> (ReceivedRequest, Bool) in
                state.received[number].content += bytes
                let isNew = isOver && !state.received[number].isComplete
                if isNew { state.received[number].isComplete = true }
                return (state.received[number], isNew)
            }
            if !bytes.isEmpty {
                delegate.urlSession(
                    task.session, task: task, didSendBodyData: Int64(bytes.count),
                    totalBytesSent: Int64(request.content.count), totalBytesExpectedToSend: -1)
            }
            if isNew, !request.target.hasPrefix("/early") { player.play(self.script(request)) }
        }
    }

    fileprivate func noteSent(_ count: Int) { state.withLock { $0.sentBytes += Int64(count) } }
    fileprivate func note(fault: String) { state.withLock { $0.faults.append(fault) } }
}

/// One response. Everything happens on the delegate's queue.
private final class Player: Sendable {
    private struct State {
        var steps: [OriginStep] = []
        var isPlaying = false
        var isDecoded = false
        var isTruncated = false
    }

    private let task: URLSessionTask
    private let network: FakeNetwork
    private let state = LockedBox(State())

    init(_ task: URLSessionTask, _ network: FakeNetwork) {
        self.task = task
        self.network = network
    }

    func play(_ steps: [OriginStep]) {
        state.withLock { ($0.steps, $0.isPlaying) = (steps, true) }
        goOn()
    }

    /// Goes on as far as the task is not suspended.
    func goOn() {
        task.session.tell { delegate in
            while self.step(delegate) {}
        }
    }

    private func step(_ delegate: any URLSessionDataDelegate) -> Bool {
        let told = task.told
        if told.isOver { return false }
        if told.cancels > 0 {
            end(delegate, URLError(.cancelled))
            return false
        }
        guard told.isRunning, state.withLock({ $0.isPlaying }) else { return false }
        guard let next = state.withLock({ $0.steps.first }) else {
            end(delegate, nil)
            return false
        }
        if case .zeros(let count) = next, count > 65_536 {
            state.withLock { $0.steps[0] = .zeros(count - 65_536) }
            content([UInt8](repeating: 0, count: 65_536), delegate)
            return true
        }
        state.withLock { _ = $0.steps.removeFirst() }
        switch next {
        case .interim(let status, let fields):
            if let response = response(status, fields, .empty) {
                delegate.urlSession(task.session, task: task, didReceiveInformationalResponse: response)
            }
        case .head(let status, let fields, let framing): head(status, fields, framing, delegate)
        case .bytes(let bytes):
            content(state.withLock { $0.isDecoded } ? Array("hello".utf8) : bytes, delegate)
        case .zeros(let count): content([UInt8](repeating: 0, count: Int(count)), delegate)
        case .trailers: break
        case .breakOff:
            // A session may report an end where a part is missing; what has a length is checked by the adapter.
            end(delegate, state.withLock { $0.isTruncated } ? nil : URLError(.networkConnectionLost))
            return false
        case .silence:
            state.withLock { $0.isPlaying = false }
        }
        return true
    }

    private func head(
        _ status: Int, _ fields: HTTPFields, _ framing: OriginStep.Framing, _ delegate: any URLSessionDataDelegate
    ) {
        guard let response = response(status, fields, framing), let data = task as? URLSessionDataTask else { return }
        state.withLock { state in
            state.isDecoded = fields[.contentEncoding] == "gzip"
            if case .length = framing { state.isTruncated = true }
        }
        if (300..<400).contains(status), fields.contains(.location) {
            let network = network
            delegate.urlSession(
                task.session, task: task, willPerformHTTPRedirection: response, newRequest: task.request
            ) { if $0 != nil { network.note(fault: "a redirect is followed") } }
        }
        let task = task
        delegate.urlSession(task.session, dataTask: data, didReceive: response) { disposition in
            if disposition == .cancel, task.told.cancels == 0 { self.network.note(fault: "a response is refused") }
        }
    }

    /// As a session keeps them: lines of one name joined with commas.
    private func response(_ status: Int, _ fields: HTTPFields, _ framing: OriginStep.Framing) -> HTTPURLResponse? {
        var joined: [String: String] = [:]
        for name in Set(fields.map(\.name)) { joined[name.rawName] = fields[values: name].joined(separator: ", ") }
        if case .length(let length) = framing { joined["Content-Length"] = String(length) }
        return task.request.url.flatMap {
            HTTPURLResponse(url: $0, statusCode: status, httpVersion: "HTTP/1.1", headerFields: joined)
        }
    }

    private func content(_ bytes: [UInt8], _ delegate: any URLSessionDataDelegate) {
        guard let data = task as? URLSessionDataTask, !bytes.isEmpty else { return }
        network.noteSent(bytes.count)
        delegate.urlSession(task.session, dataTask: data, didReceive: Data(bytes))
    }

    private func end(_ delegate: any URLSessionDataDelegate, _ error: URLError?) {
        guard task.end() else { return }
        task.onChange {}
        let metrics = URLSessionTaskTransactionMetrics()
        metrics.networkProtocolName = "h2"
        metrics.countOfResponseBodyBytesReceived = 1_000_000
        delegate.urlSession(
            task.session, task: task, didFinishCollecting: URLSessionTaskMetrics([metrics]))
        delegate.urlSession(task.session, task: task, didCompleteWithError: error)
    }
}
