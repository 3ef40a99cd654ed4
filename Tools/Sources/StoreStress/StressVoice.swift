import Locking
import ResponseStore

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Writes lines to standard output, each with one write(2), so that who reads them knows what was said before a death
/// and, where processes share a pipe, in which order. docs/store-faults.md has the words.
package struct StressVoice: Sendable {
    private let name: String
    private let numbers = LockedBox<Int>(0)

    package init(name: String) {
        self.name = name
    }

    package func say(_ text: String) {
        var rest = Array("\(name) \(text)\n".utf8)[...]
        while !rest.isEmpty {
            let put = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if put < 0, errno == EINTR { continue }
            guard put > 0 else { return }
            rest = rest.dropFirst(put)
        }
    }

    /// A number for a look-up.
    func nextNumber() -> Int {
        numbers.withLock { number in
            number += 1
            return number
        }
    }

    static func code(_ error: any Error) -> String {
        guard let error = error as? StoreError else { return "other(\(error))".replacing("\n", with: " ") }
        let names: [StoreError.Code: String] = [
            .directoryUnusable: "directoryUnusable", .newerFormat: "newerFormat", .corruptEntry: "corruptEntry",
            .writeFailed: "writeFailed", .readFailed: "readFailed",
        ]
        return names[error.code] ?? "unknown"
    }
}
