import Foundation
import FoundationNetworking
import Locking

// c:objc(cs)NSURLSessionTask | iOS 7.0, macOS 10.9 | nonisolated, Sendable | D
public class URLSessionTask: NSObject, @unchecked Sendable {
    /// Not in Apple's module: what the task was told, and what it must not have been told.
    public struct Record: Sendable {
        public var resumes = 0
        public var suspends = 0
        public var cancels = 0
        public var isOver = false
        public var faults: [String] = []
        /// Calls after the end. One that was under way when the task ended is no fault of whoever made it.
        public var lateCalls: [String] = []

        public var isRunning: Bool { resumes > suspends && cancels == 0 && !isOver }
    }

    /// Not in Apple's module.
    public let request: URLRequest
    /// Not in Apple's module.
    public let session: URLSession
    /// Not in Apple's module.
    public let isUpload: Bool
    private let simulation: URLSession.Simulation
    private let record = LockedBox(Record())
    private let changed = LockedBox<(@Sendable () -> Void)?>(nil)

    // c:objc(cs)NSURLSessionTask(py)currentRequest | iOS 7.0, macOS 10.9 | nonisolated | D
    public var currentRequest: URLRequest? { request }
    // c:@E@NSURLSessionTaskState | iOS 7.0, macOS 10.9 | Sendable | D
    public enum State: Int, Sendable {
        case running = 0
        case suspended = 1
        case canceling = 2
        case completed = 3
    }

    // c:objc(cs)NSURLSessionTask(py)state | iOS 7.0, macOS 10.9 | nonisolated | D
    public var state: State {
        let told = told
        if told.isOver { return .completed }
        if told.cancels > 0 { return .canceling }
        return told.isRunning ? .running : .suspended
    }
    // c:objc(cs)NSURLSessionTask(py)taskIdentifier | iOS 7.0, macOS 10.9 | nonisolated | B
    public let taskIdentifier: Int
    // c:objc(cs)NSURLSessionTask(py)priority | iOS 8.0, macOS 10.10 | nonisolated | B
    public var priority: Float = 0.5
    // c:@NSURLSessionTaskPriorityLow | iOS 8.0, macOS 10.10 | nonisolated | B
    public class var lowPriority: Float { 0.25 }

    init(
        _ session: URLSession, _ number: Int, _ request: URLRequest, _ simulation: URLSession.Simulation, isUpload: Bool
    ) {
        self.session = session
        self.request = request
        self.simulation = simulation
        self.isUpload = isUpload
        taskIdentifier = number
    }

    // c:objc(cs)NSURLSessionTask(im)resume | iOS 7.0, macOS 10.9 | nonisolated | D
    public func resume() {
        let isStart = note("resume") { record in
            record.resumes += 1
            if record.resumes > record.suspends + 1 { record.faults.append("resumed twice") }
            return record.resumes == 1
        }
        if isStart { simulation.onStart(self) }
    }

    // c:objc(cs)NSURLSessionTask(im)suspend | iOS 7.0, macOS 10.9 | nonisolated | D
    public func suspend() {
        note("suspend") { record in
            record.suspends += 1
            if record.suspends > record.resumes { record.faults.append("suspended twice") }
        }
    }

    // c:objc(cs)NSURLSessionTask(im)cancel | iOS 7.0, macOS 10.9 | nonisolated | D
    public func cancel() {
        note("cancel") { record in
            record.cancels += 1
            if record.cancels > 1 { record.faults.append("cancelled twice") }
        }
    }

    private func note<Answer: Sendable>(_ call: String, _ change: @Sendable (inout Record) -> Answer) -> Answer {
        let answer = record.withLock { record in
            if record.isOver { record.lateCalls.append("\(call) after the end") }
            return change(&record)
        }
        changed.withLock { $0 }?()
        return answer
    }

    /// Not in Apple's module.
    public var told: Record { record.withLock { $0 } }

    /// Not in Apple's module: called whenever the task was told something.
    public func onChange(_ handler: @escaping @Sendable () -> Void) { changed.withLock { $0 = handler } }

    /// Not in Apple's module: the session ends the task.
    ///
    /// - Returns: Whether it had not ended before.
    public func end() -> Bool {
        record.withLock { record in
            defer { record.isOver = true }
            return !record.isOver
        }
    }
}

// c:objc(cs)NSURLSessionDataTask | iOS 7.0, macOS 10.9 | nonisolated, Sendable | D
public class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}

// c:objc(cs)NSURLSessionWebSocketTask | iOS 13.0, macOS 10.15 | nonisolated, Sendable | D
public final class URLSessionWebSocketTask: URLSessionTask, @unchecked Sendable {}

// c:objc(cs)NSURLSessionUploadTask | iOS 7.0, macOS 10.9 | nonisolated, Sendable | D
public final class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {}
