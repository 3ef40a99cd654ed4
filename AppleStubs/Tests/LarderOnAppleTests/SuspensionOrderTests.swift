import AppleFoundation
import CacheTesting
import Locking
import Testing

@testable import LarderOnApple

extension DeviceServicesTests {
    /// The notifications, the assertions and the app's own calls in any order, with time running out at any moment.
    @Suite("Suspension under random orders of calls")
    struct SuspensionOrderTests {
        /// The store, and what the system may do to the app. Notifications and assertions are its own: the process has
        /// other tests, with stores that would hear of them and ask for theirs.
        private final class Device: Sendable {
            struct State: Sendable {
                /// Assertions that were asked for since the last look.
                var new: [@Sendable (Bool) -> Void] = []
                var isInUse = true
                var isInBackground = false
                var isAutomatic = true
                /// Assertions that were asked for and have not returned.
                var outstanding = 0
                var faults: [String] = []
                var log: [String] = []
            }
            var log: [String] { state.withLock { $0.log } }
            private let state = LockedBox(State())

            init(isAutomatic: Bool) { state.withLock { $0.isAutomatic = isAutomatic } }

            var faults: [String] { state.withLock { $0.faults } }
            var isInUse: Bool { state.withLock { $0.isInUse } }
            var outstanding: Int { state.withLock { $0.outstanding } }

            func ask(for assertion: @escaping @Sendable (Bool) -> Void) {
                state.withLock { $0.new.append(assertion) }
            }
            func suspendStore() {
                state.withLock {
                    $0.isInUse = false; $0.log.append("S")
                }
            }
            func resumeStore() {
                state.withLock { state in
                    if state.isInUse { state.faults.append("resumed twice") }
                    state.isInUse = true
                    state.log.append("R")
                }
            }
            func enter(background: Bool) {
                state.withLock {
                    $0.isInBackground = background; $0.log.append(background ? "b" : "f")
                }
            }
            /// What was asked for since the last call.
            func take() -> [@Sendable (Bool) -> Void] {
                state.withLock { state in
                    defer { state.new = [] }
                    let new = state.new
                    state.outstanding += new.count
                    if !new.isEmpty { state.log.append("+\(new.count)") }
                    return new
                }
            }

            /// An assertion has returned, or time is up.
            func mayBeSuspended(ending: Bool) {
                state.withLock { state in
                    if ending { state.outstanding -= 1 }
                    state.log.append(ending ? "e\(state.outstanding)" : "t")
                    let isFree = !ending || state.outstanding == 0 && state.new.isEmpty
                    if isFree, state.isInBackground, state.isAutomatic, state.isInUse {
                        state.faults.append(ending ? "suspended with the store in use" : "out of time, and in use")
                    }
                }
            }
        }

        private struct Assertion: Sendable {
            let work: @Sendable (Bool) -> Void
        }

        @Test("the app is never suspended with the store in use, and no thread or task waits for ever")
        func orders() async throws {
            for seed in 0..<RandomOrders.count {
                let faults = try await play(seed)
                // The values stand in the first line of the issue, which is all that `--quiet` prints.
                guard faults.isEmpty else {
                    #expect(["seed \(seed)"] + faults == [])
                    return
                }
            }
            await SimulatedApplication.set(nil)
        }

        private func play(_ seed: UInt64) async throws -> [String] {
            var random = SplitMix64(seed: seed)
            let isAutomatic = Int.random(in: 0..<8, using: &random) > 0
            let device = Device(isAutomatic: isAutomatic)
            let center = NotificationCenter()
            func post(_ name: String) { center.post(name: NSNotification.Name(name), object: nil) }
            // Active, inactive, in the background, or an extension.
            let appState = [0, 1, 2, nil].randomElement(using: &random) ?? nil
            await SimulatedApplication.set(appState)
            let suspension = BackgroundSuspension(
                isAutomatic: isAutomatic, { device.ask(for: $0) }, suspend: { device.suspendStore() },
                resume: { device.resumeStore() })
            var observation: BackgroundObservation? = BackgroundObservation(suspension, center)
            if isAutomatic { suspension.beginLaunch() }
            var waiting: [Assertion] = []
            var running: [Assertion] = []
            var tasks: [(Gate, Task<Void, Never>)] = []
            func take() {
                waiting += device.take().map { Assertion(work: $0) }
            }
            func start(_ assertion: Assertion) {
                running.append(assertion)
                Thread.detachNewThread {
                    assertion.work(false)
                    device.mayBeSuspended(ending: true)
                }
            }
            var trace = "auto \(isAutomatic) app \(String(describing: appState)):"
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let step = Int.random(in: 0..<10, using: &random)
                trace += " \(step)"
                switch step {
                case 0, 1:
                    // The question for the state at the beginning may come late, and then has to see the state of then.
                    if appState != nil { await SimulatedApplication.set(2) }
                    post("UIApplicationDidEnterBackgroundNotification")
                    // Not suspended before all have been told.
                    device.enter(background: true)
                case 2:
                    device.enter(background: false)
                    if appState != nil { await SimulatedApplication.set(0) }
                    post("UIApplicationWillEnterForegroundNotification")
                case 3, 4:
                    take()
                    for assertion in waiting { start(assertion) }
                    waiting = []
                case 5:
                    take()
                    // Instead of its beginning, while it runs, or after its end.
                    let number = Int.random(in: 0...3, using: &random)
                    if number < waiting.count {
                        let assertion = waiting.remove(at: number)
                        assertion.work(true)
                        device.mayBeSuspended(ending: true)
                    } else if let assertion = running.randomElement(using: &random) {
                        assertion.work(true)
                        device.mayBeSuspended(ending: false)
                    }
                case 6: try await suspension.suspend()
                case 7: suspension.resume()
                case 8:
                    let gate = Gate()
                    let begun = Gate()
                    tasks.append(
                        (
                            gate,
                            Task {
                                await suspension.duringTask {
                                    begun.open()
                                    try? await gate.pass()
                                }
                            }
                        ))
                    try await begun.pass()
                default:
                    if !tasks.isEmpty {
                        let (gate, task) = tasks.removeFirst()
                        gate.open()
                        await task.value
                    }
                }
                take()
            }
            // In the foreground everything goes on.
            device.enter(background: false)
            if appState != nil { await SimulatedApplication.set(0) }
            post("UIApplicationDidBecomeActiveNotification")
            suspension.resume()
            for (gate, task) in tasks {
                gate.open()
                await task.value
            }
            while !device.isInUse { await Task.yield() }
            await MainActor.run {}
            observation = nil
            suspension.end()
            take()
            for assertion in waiting { start(assertion) }
            while device.outstanding > 0 { await Task.yield() }
            post("UIApplicationDidEnterBackgroundNotification")
            if observation != nil || !device.take().isEmpty { return ["somebody still listens"] }
            return device.faults.isEmpty ? [] : device.faults + [trace, "\(device.log)"]
        }
    }
}
