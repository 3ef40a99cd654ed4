import Foundation

/// The target that `FUZZ_TARGET` names; without one the program prints the names of all.
enum ChosenTarget {
    static let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"]
    static let type = name.flatMap(FuzzTargets.named)

    /// One run. A broken claim ends the program, so that libFuzzer keeps the input.
    static func run(_ bytes: [UInt8]) {
        guard let type else { return }
        do {
            try type.check(FuzzInput(bytes: bytes))
            if let long = LongInput.grown(from: bytes) { try type.check(FuzzInput(bytes: long)) }
        } catch {
            fatalError("\(type.name): \(error)")
        }
    }
}
