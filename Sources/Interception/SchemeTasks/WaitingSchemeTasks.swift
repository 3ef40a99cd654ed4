/// The tasks that wait for their turn, first come, first served.
///
/// A task that is stopped stays in the list until its turn, or until half of the list is such tasks: a page that starts
/// and aborts loads without end must not make the list grow.
@MainActor
struct WaitingSchemeTasks {
    private var tasks: [RunningSchemeTask] = []
    private var first = 0
    private var stoppedTasks = 0

    /// The length of the list, for tests.
    var count: Int { tasks.count - first }

    mutating func append(_ task: RunningSchemeTask) {
        tasks.append(task)
    }

    mutating func next() -> RunningSchemeTask? {
        while first < tasks.count {
            let task = tasks[first]
            first += 1
            if task.isWaiting {
                if first > 32, first > tasks.count / 2 { compact() }
                return task
            }
            stoppedTasks -= 1
        }
        compact()
        return nil
    }

    /// A task in the list has been stopped.
    mutating func stopped() {
        stoppedTasks += 1
        if stoppedTasks > 32, stoppedTasks > count / 2 { compact() }
    }

    private mutating func compact() {
        tasks = tasks[first...].filter(\.isWaiting)
        (first, stoppedTasks) = (0, 0)
    }
}
