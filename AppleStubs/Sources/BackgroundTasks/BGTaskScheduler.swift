import Foundation
import Locking

// Stand-ins for BackgroundTasks, as far as we use it.

// c:objc(cs)BGTaskScheduler | iOS 13.0, macOS none | nonisolated | D
public final class BGTaskScheduler: NSObject, @unchecked Sendable {
    private struct State {
        var handlers: [String: @Sendable (BGTask) -> Void] = [:]
        var requests: [BGTaskRequest] = []
        var repeatedRegistrations: [String] = []
        /// How often a task was asked for, also in vain.
        var askings: [String: Int] = [:]
    }

    private let state = LockedBox<State>(State())
    /// Not in Apple's module: what the app's Info.plist would list.
    package static let permittedIdentifiers = LockedBox<Set<String>>([])
    /// Not in Apple's module: whether requests are refused.
    package static let isUnavailable = LockedBox(false)

    // c:objc(cs)BGTaskScheduler(cpy)sharedScheduler | iOS 13.0, macOS none | nonisolated | M
    public static let shared = BGTaskScheduler()

    // c:objc(cs)BGTaskScheduler(im)registerForTaskWithIdentifier:usingQueue:launchHandler: | iOS 13.0, macOS none | nonisolated | D
    public func register(
        forTaskWithIdentifier identifier: String, using queue: DispatchQueue?, launchHandler: @escaping (BGTask) -> Void
    ) -> Bool {
        guard Self.permittedIdentifiers.withLock({ $0.contains(identifier) }) else { return false }
        nonisolated(unsafe) let handler = launchHandler
        state.withLock { state in
            if state.handlers[identifier] != nil { state.repeatedRegistrations.append(identifier) }
            state.handlers[identifier] = { handler($0) }
        }
        return true
    }

    // c:objc(cs)BGTaskScheduler(im)submitTaskRequest:error: | iOS 13.0, macOS none | nonisolated | D
    public func submit(_ taskRequest: BGTaskRequest) throws {
        state.withLock { $0.askings[taskRequest.identifier, default: 0] += 1 }
        if Self.isUnavailable.withLock({ $0 }) { throw CocoaError(.featureUnsupported) }
        state.withLock { state in
            state.requests.removeAll { $0.identifier == taskRequest.identifier }
            state.requests.append(taskRequest)
        }
    }

    /// Not in Apple's module: what was registered again. Apple's ends the app; a test has to fail.
    public var repeatedRegistrations: [String] { state.withLock { $0.repeatedRegistrations } }

    func askings(_ identifier: String) -> Int { state.withLock { $0.askings[identifier] ?? 0 } }

    /// Not in Apple's module: the requests that wait.
    public var pending: [BGTaskRequest] { state.withLock { $0.requests } }

    /// Not in Apple's module: begins the task that was asked for.
    public func simulateLaunch(_ identifier: String) -> BGTask? {
        let handler = state.withLock { state -> (@Sendable (BGTask) -> Void)? in
            guard state.requests.contains(where: { $0.identifier == identifier }) else { return nil }
            state.requests.removeAll { $0.identifier == identifier }
            return state.handlers[identifier]
        }
        guard let handler else { return nil }
        let task = BGProcessingTask(identifier)
        handler(task)
        return task
    }
}

// c:objc(cs)BGTaskRequest | iOS 13.0, macOS none | nonisolated | M
public class BGTaskRequest: NSObject, @unchecked Sendable {
    // c:objc(cs)BGTaskRequest(py)identifier | iOS 13.0, macOS none | nonisolated | M
    public let identifier: String
    // c:objc(cs)BGTaskRequest(py)earliestBeginDate | iOS 13.0, macOS none | nonisolated | M
    public var earliestBeginDate: Date?

    init(_ identifier: String) { self.identifier = identifier }
}

// c:objc(cs)BGProcessingTaskRequest | iOS 13.0, macOS none | nonisolated | M
public final class BGProcessingTaskRequest: BGTaskRequest, @unchecked Sendable {
    // c:objc(cs)BGProcessingTaskRequest(py)requiresNetworkConnectivity | iOS 13.0, macOS none | nonisolated | M
    public var requiresNetworkConnectivity = false
    // c:objc(cs)BGProcessingTaskRequest(py)requiresExternalPower | iOS 13.0, macOS none | nonisolated | M
    public var requiresExternalPower = false

    // c:objc(cs)BGProcessingTaskRequest(im)initWithIdentifier: | iOS 13.0, macOS none | nonisolated | M
    public init(identifier: String) { super.init(identifier) }
}

// c:objc(cs)BGAppRefreshTaskRequest | iOS 13.0, macOS none | nonisolated | D
public final class BGAppRefreshTaskRequest: BGTaskRequest, @unchecked Sendable {
    // c:objc(cs)BGAppRefreshTaskRequest(im)initWithIdentifier: | iOS 13.0, macOS none | nonisolated | D
    public init(identifier: String) { super.init(identifier) }
}

// Apple's is not Sendable as far as we know, so neither is this one.
// c:objc(cs)BGTask | iOS 13.0, macOS none | nonisolated | D
public class BGTask: NSObject {
    private struct State: Sendable {
        var completions: [Bool] = []
        var faults: [String] = []
        var expire: (@Sendable () -> Void)?
    }

    private let state = LockedBox(State())
    // c:objc(cs)BGTask(py)identifier | iOS 13.0, macOS none | nonisolated | M
    public let identifier: String

    private let askings: Int

    init(_ identifier: String) {
        self.identifier = identifier
        askings = BGTaskScheduler.shared.askings(identifier)
    }

    // c:objc(cs)BGTask(py)expirationHandler | iOS 13.0, macOS none | nonisolated | M
    public var expirationHandler: (() -> Void)? {
        get { state.withLock { $0.expire } }
        set {
            nonisolated(unsafe) let handler = newValue
            state.withLock { state in
                if !state.completions.isEmpty { state.faults.append("a handler after the end") }
                state.expire = { handler?() }
            }
        }
    }

    // c:objc(cs)BGTask(im)setTaskCompletedWithSuccess: | iOS 13.0, macOS none | nonisolated | M
    public func setTaskCompleted(success: Bool) {
        // From here on the app may be suspended.
        let isAsked = BGTaskScheduler.shared.askings(identifier) > askings
        state.withLock { state in
            if !state.completions.isEmpty { state.faults.append("completed twice") }
            if !isAsked { state.faults.append("completed before the next one was asked for") }
            state.completions.append(success)
        }
    }

    /// Not in Apple's module: what was reported.
    public var completions: [Bool] { state.withLock { $0.completions } }

    /// Not in Apple's module: what the task must not have been told.
    public var faults: [String] { state.withLock { $0.faults } }

    /// Not in Apple's module: time is up, on the thread of the caller. Nothing if the app has given no handler.
    public func simulateExpiration() { expirationHandler?() }
}

// c:objc(cs)BGProcessingTask | iOS 13.0, macOS none | nonisolated | M
public final class BGProcessingTask: BGTask {}
