import AppleFoundation
import CacheTesting
import Locking
import Security
import Testing

@testable import LarderOnApple

extension DeviceServicesTests {
    @Test(
        "random orders of the keychain: no secret is lost, doubled or read as another, whoever else changes it or refuses"
    )
    func keychainOrders() {
        let name = "ca-key.pem"
        let secrets = KeychainSecrets(service: "larder.orders")
        let item = SimulatedKeychain.Item(
            service: "larder.orders", account: name, group: "own",
            accessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, data: Data("theirs".utf8))
        let codes: [OSStatus: SecretError.Code] = [-25_308: .locked, -34_018: .notEntitled, -50: .failed, -1: .failed]
        defer {
            SimulatedKeychain.shared.interfere(nil)
            SimulatedKeychain.shared.clear()
        }
        var kept = 0
        for seed in 0..<RandomOrders.count {
            var random = SplitMix64(seed: seed)
            SimulatedKeychain.shared.interfere(nil)
            SimulatedKeychain.shared.clear()
            var faults: [String] = []
            for step in 0..<Int.random(in: 1...6, using: &random) {
                // An event before each of the calls that the step makes: 0 nothing, 1 another process adds, 2 it
                // removes, else a refusal.
                let plan = (0..<10).map { _ in
                    [0, 0, 0, 0, 1, 2, -25_308, -34_018, -50, -1].randomElement(using: &random) ?? 0
                }
                let (calls, refusal) = (LockedBox(0), LockedBox<OSStatus?>(nil))
                let before = SimulatedKeychain.shared.items.first.map { String(decoding: $0.data, as: UTF8.self) }
                let isDisturbed = LockedBox(false)
                SimulatedKeychain.shared.interfere { items in
                    let number = calls.withLock { calls in
                        calls += 1
                        return calls - 1
                    }
                    switch number < plan.count ? plan[number] : 0 {
                    case 0: return nil
                    case 1:
                        if items.isEmpty { items.append(item) }
                        isDisturbed.withLock { $0 = true }
                        return nil
                    case 2:
                        items = []
                        isDisturbed.withLock { $0 = true }
                        return nil
                    case let status:
                        refusal.withLock { $0 = OSStatus(status) }
                        return OSStatus(status)
                    }
                }
                let choice = Int.random(in: 0..<3, using: &random)
                let secret = "secret \(step)"
                var thrown: SecretError?
                var read: String??
                do {
                    switch choice {
                    case 0, 1: try secrets.keep(secret, named: name)
                    default: read = try secrets.secret(named: name)
                    }
                } catch {
                    thrown = error as? SecretError
                    if thrown == nil { faults.append("\(error)") }
                }
                SimulatedKeychain.shared.interfere(nil)
                let items = SimulatedKeychain.shared.items
                let after = items.first.map { String(decoding: $0.data, as: UTF8.self) }
                if items.count > 1 { faults.append("two items") }
                if items.contains(where: { $0.accessible != item.accessible }) { faults.append("readable by others") }
                if let thrown {
                    if let status = refusal.withLock({ $0 }), codes[status] != thrown.code {
                        faults.append("\(thrown)")
                    }
                    if !isDisturbed.withLock({ $0 }), after != before {
                        faults.append("an error that changed something")
                    }
                } else {
                    if refusal.withLock({ $0 }) != nil { faults.append("a refusal was not told") }
                    switch choice {
                    case 0, 1:
                        if after != secret { faults.append("kept \(after ?? "nothing")") }
                        kept += 1
                    default:
                        if read != .some(after) { faults.append("read \(String(describing: read)) of \(after ?? "")") }
                    }
                }
                if calls.withLock({ $0 }) > 8 { faults.append("tried without end") }
            }
            guard faults.isEmpty else {
                Issue.record("seed \(seed): \(faults)")
                return
            }
        }
        #expect(kept > RandomOrders.count / 10)
    }
}
