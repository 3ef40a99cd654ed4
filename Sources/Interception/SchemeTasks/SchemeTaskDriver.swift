import CacheEngine

/// Answers the scheme tasks of one web view, and calls none of them at a wrong moment.
///
/// Everything happens on the main actor, where web views start and stop tasks; only answers and bodies are made
/// elsewhere. Each task has one piece of content in memory at a time: the next one is read when the task has taken it.
///
/// One driver serves one web view, so that a page that exhausts ``Limits`` harms no other.
@MainActor
package final class SchemeTaskDriver {
    /// How many tasks a page may have open.
    package struct Limits: Hashable, Sendable {
        /// Tasks whose answer or content is under way; others wait for their turn, in order. At least 1; the default,
        /// 256, is more than a page has connections, and lets many streams of events stay open.
        package var running: Int
        /// Tasks in all; further ones fail with ``SchemeTaskError/Code/tooManyTasks``. At least 1; the default is
        /// 8,192.
        package var open: Int

        package init(running: Int = 256, open: Int = 8_192) {
            self.running = max(1, running)
            self.open = max(1, open)
        }
    }

    private let limits: Limits
    private let sleep: @Sendable (Duration) async throws -> Void
    private var tasks: [SchemeTaskID: RunningSchemeTask] = [:]
    private var queue = WaitingSchemeTasks()
    /// The number of tasks that hold one of the places of ``Limits/running``.
    private var running = 0
    private var isFillingPlaces = false

    /// - Parameter sleep: That of the clock for time-outs, see `EngineClock`.
    package init(
        limits: Limits = Limits(), sleep: @escaping @Sendable (Duration) async throws -> Void = EngineClock.systemSleep
    ) {
        self.limits = limits
        self.sleep = sleep
    }

    /// The number of tasks that are neither finished nor failed nor stopped.
    package var openTasks: Int { tasks.count }

    /// Answers a task. An answer with content in memory never waits for its turn, and is delivered before this returns.
    ///
    /// - Parameters:
    ///   - id: If a task with this identity is open, that one is stopped first: web views reuse addresses.
    ///   - task: Called on the main actor only, perhaps before this returns.
    ///   - takesPlace: `false` for a task that others wait for, such as a part of an upload (``UploadPart``): it does not
    ///     wait for its turn, and counts for ``Limits/open`` only.
    ///   - timeout: After which it fails with ``SchemeTaskError/Code/timedOut``, wherever its content is; `nil` for none.
    package func start(
        _ id: SchemeTaskID, _ task: any SchemeTask, answer: SchemeAnswer, takesPlace: Bool = true,
        timeout: Duration? = nil
    ) {
        stop(id)
        let begun = RunningSchemeTask(id, task, answer) { [self] in ended($0) }
        guard tasks.count < limits.open else {
            return begun.refuse(
                SchemeTaskError(
                    code: .tooManyTasks,
                    message: "The page has \(limits.open) loads open; it has to wait for some of them to end."))
        }
        tasks[id] = begun
        if let timeout { begun.limit(to: timeout, sleep) }
        if answer.isAtHand || !takesPlace {
            begun.begin()
        } else {
            begun.place = .queue
            queue.append(begun)
            fillPlaces()
        }
    }

    /// Goes on with a task that returned ``SchemeTaskDemand/later``. May also be called before the task has
    /// returned that. Without such a task it does nothing.
    package func proceed(_ id: SchemeTaskID) {
        tasks[id]?.proceed()
    }

    /// Stops a task: its answer and its body are cancelled, and nothing is called on it once this has returned.
    /// Does nothing if the task is over.
    package func stop(_ id: SchemeTaskID) {
        tasks[id]?.stop()
    }

    /// Stops all tasks, for a web view that goes away without stopping them itself.
    package func stopAll() {
        // Waiting tasks first, so that none of them gets the place of another.
        for task in tasks.values.filter(\.isWaiting) { task.stop() }
        for task in Array(tasks.values) { task.stop() }
    }

    private func ended(_ task: RunningSchemeTask) {
        guard tasks[task.id] === task else { return }
        tasks[task.id] = nil
        switch task.place {
        case .unneeded: break
        case .queue: queue.stopped()
        case .running:
            running -= 1
            fillPlaces()
        }
    }

    /// Not from within itself: a task that fails at once frees its place while the places are being filled.
    private func fillPlaces() {
        guard !isFillingPlaces else { return }
        isFillingPlaces = true
        defer { isFillingPlaces = false }
        while running < limits.running, let task = queue.next() {
            running += 1
            task.place = .running
            task.begin()
        }
    }
}

extension SchemeAnswer {
    /// Whether it can be delivered without work that takes a place.
    fileprivate var isAtHand: Bool {
        switch self {
        case .ready(let response):
            switch response.body {
            case .empty, .bytes: true
            case .file, .stream: false
            }
        case .failed: true
        case .pending: false
        }
    }
}
