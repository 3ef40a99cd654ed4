import CacheEngine
import Fetching

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
    private let clock: EngineClock
    /// The tasks that are neither finished nor failed nor stopped.
    private var tasks: [SchemeTaskID: Load] = [:]
    /// Those that wait for their turn, first come, first served.
    private var queue: [SchemeTaskID] = []
    /// Those that hold one of the places of ``Limits/running``. A task whose answer is at hand needs none.
    private var running: Set<SchemeTaskID> = []
    private var isFillingPlaces = false

    /// - Parameter clock: Measures time-outs.
    package init(limits: Limits = Limits(), clock: EngineClock = .system) {
        self.limits = limits
        self.clock = clock
    }

    /// The number of tasks that are neither finished nor failed nor stopped.
    package var openTasks: Int { tasks.count }

    /// Answers a task. An answer with content in memory never waits for its turn, and is delivered before this returns.
    ///
    /// - Parameters:
    ///   - id: If a task with this identity is open, that one is stopped first: web views reuse addresses.
    ///   - task: Called on the main actor only, perhaps before this returns.
    ///   - takesPlace: `false` for a task that others wait for, such as a part of an upload (``UploadPart``): it does
    ///     not wait for its turn, and counts for ``Limits/open`` only.
    ///   - timeout: After which it fails with ``SchemeTaskError/Code/timedOut``, wherever its content is; `nil` for
    ///     none.
    package func start(
        _ id: SchemeTaskID, _ task: any SchemeTask, answer: LoadAnswer, takesPlace: Bool = true,
        timeout: Duration? = nil
    ) {
        stop(id)
        let load = Load(SchemeTaskClient(task: task), on: MainThread(), answer: answer, clock: clock) { [self] in
            MainActor.assumeIsolated { ended(id) }
        }
        guard tasks.count < limits.open else {
            return load.refuse(
                SchemeTaskError(
                    code: .tooManyTasks,
                    message: "The page has \(limits.open) loads open; it has to wait for some of them to end."))
        }
        tasks[id] = load
        if let timeout { load.limit(to: timeout) }
        if answer.isAtHand || !takesPlace {
            load.start()
        } else {
            queue.append(id)
            fillPlaces()
        }
    }

    /// Goes on with a task that returned ``LoadDemand/later``. May also be called before the task has
    /// returned that. Without such a task it does nothing.
    package func proceed(_ id: SchemeTaskID) {
        tasks[id]?.proceed()
    }

    /// Stops a task: its answer and its body are cancelled, and nothing is called on it once this has returned.
    /// Does nothing if the task is over.
    package func stop(_ id: SchemeTaskID) {
        tasks[id]?.stop()
    }

    private func ended(_ id: SchemeTaskID) {
        guard tasks.removeValue(forKey: id) != nil else { return }
        if running.remove(id) != nil { fillPlaces() } else { queue.removeAll { $0 == id } }
    }

    /// Not from within itself: a task that fails at once frees its place while the places are being filled.
    private func fillPlaces() {
        guard !isFillingPlaces else { return }
        isFillingPlaces = true
        defer { isFillingPlaces = false }
        while running.count < limits.running, !queue.isEmpty {
            let id = queue.removeFirst()
            running.insert(id)
            tasks[id]?.start()
        }
    }
}

extension LoadAnswer {
    /// Whether it can be delivered without work that takes a place.
    fileprivate var isAtHand: Bool {
        switch self {
        case .ready(let response):
            switch response.body {
            case .empty, .bytes: true
            case .file, .stream: false
            }
        case .failed: true
        case .pending, .redirect: false
        }
    }
}
