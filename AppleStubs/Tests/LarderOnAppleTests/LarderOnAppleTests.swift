import AppleFoundation
import CacheTesting
import Locking
import Testing
import URLSessionOnApple

@testable import LarderOnApple

// Within the suite that uses the same stand-ins of the system, so that both never run at once.
extension DeviceServicesTests {
    @Suite("A Larder without homework, with stand-ins for the system", .serialized)
    struct LarderOnAppleTests {
        /// Records what the system is told of folders.
        private final class Folders: StoreFolder.Attributes {
            var caches: URL? = URL(fileURLWithPath: "/caches")
            var calls: [String] = []
            var refusing: Set<String> = []

            private func note(_ call: String, _ folder: URL) throws {
                calls.append("\(call) \(folder.path)")
                if refusing.contains(call) { throw CocoaError(.fileWriteNoPermission) }
            }

            func container(ofAppGroup group: String) -> URL? { nil }
            func make(_ folder: URL) throws { try note("make", folder) }
            func excludeFromBackup(_ folder: URL) throws { try note("exclude", folder) }
            func protect(_ folder: URL) throws { try note("protect", folder) }
        }

        @Test("the folder is made in the caches folder, kept out of backups, and protected until the first unlock")
        func folder() throws {
            let folders = Folders()
            let folder = try StoreFolder.prepare(named: "larder", folders)
            #expect(folder.path == "/caches/larder")
            #expect(folders.calls == ["make /caches/larder", "exclude /caches/larder", "protect /caches/larder"])
        }

        @Test("a system that can't exclude or protect a folder still has a store; one that can't make it has none")
        func refusals() throws {
            let folders = Folders()
            folders.refusing = ["exclude", "protect"]
            _ = try StoreFolder.prepare(named: "larder", folders)
            #expect(folders.calls.count == 3)
            folders.refusing = ["make"]
            #expect(throws: CocoaError.self) { try StoreFolder.prepare(named: "larder", folders) }
            folders.caches = nil
            #expect(throws: CocoaError.self) { try StoreFolder.prepare(named: "larder", folders) }
        }

        @Test("the system's warning is heard until nobody listens any more")
        func memory() { SimulatedMemory.$isTold.withValue(true) { memoryIsHeard() } }

        private func memoryIsHeard() {
            let heard = LockedBox(0)
            var warnings: MemoryWarnings? = MemoryWarnings { heard.withLock { $0 += 1 } }
            #expect(warnings != nil && DispatchSource.simulateMemoryPressure() == 1)
            warnings = nil
            #expect(DispatchSource.simulateMemoryPressure() == 0)
            #expect(heard.withLock { $0 } == 1)
        }

        @Test("random orders: each listener hears each warning until it is gone, and none is heard twice or later")
        func memoryOrders() { SimulatedMemory.$isTold.withValue(true) { memoryIsHeardInAnyOrder() } }

        private func memoryIsHeardInAnyOrder() {
            for seed in 0..<RandomOrders.count {
                var random = SplitMix64(seed: seed)
                var listeners: [(warnings: MemoryWarnings, heard: LockedBox<Int>, expected: Int)] = []
                var gone: [(heard: LockedBox<Int>, expected: Int)] = []
                for _ in 0..<Int.random(in: 1...10, using: &random) {
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0:
                        let heard = LockedBox(0)
                        listeners.append((MemoryWarnings { heard.withLock { $0 += 1 } }, heard, 0))
                    case 1:
                        if listeners.isEmpty { continue }
                        let last = listeners.remove(at: Int.random(in: 0..<listeners.count, using: &random))
                        gone.append((last.heard, last.expected))
                    default:
                        let count = DispatchSource.simulateMemoryPressure()
                        for place in listeners.indices { listeners[place].expected += 1 }
                        if count != listeners.count { Issue.record("seed \(seed): \(count) of \(listeners.count)") }
                    }
                }
                let all =
                    listeners.map { ($0.heard.withLock { $0 }, $0.expected) }
                    + gone.map { ($0.heard.withLock { $0 }, $0.expected) }
                guard all.allSatisfy({ $0.0 == $0.1 }) else {
                    Issue.record("seed \(seed): \(all)")
                    return
                }
            }
        }

        @Test("a Larder that is given no network has URLSession")
        func network() throws {
            let larder = try Larder(LarderConfiguration(directory: URL(fileURLWithPath: "/store")))
            #expect(larder.transport is URLSessionOriginTransport)
            #expect(larder.directory.path == "/store")
        }
    }
}
