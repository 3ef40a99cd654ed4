import Foundation
import HTTPCacheSemantics

/// The memory of processes, from proc(5).
enum ProcessMemory {
    /// The name of WebKitGTK's web processes, of which the system keeps fifteen letters.
    private static let webProcess = "WebKitWebProces"

    /// The resident memory of the web processes below a process. `nil` where there is no `/proc`,
    /// and where there is no such process.
    static func ofWebProcesses(below ancestor: Int32) -> ByteCount? {
        var held: ByteCount?
        var left = [ancestor]
        // A process that ends meanwhile has nothing to be read any more.
        while let process = left.popLast() {
            left += children(of: process)
            guard text("/proc/\(process)/comm") == webProcess, let resident = resident(process) else { continue }
            held = (held ?? .zero) + resident
        }
        return held
    }

    private static func children(of process: Int32) -> [Int32] {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        return threads.flatMap { thread in
            (text("/proc/\(process)/task/\(thread)/children") ?? "").split(separator: " ").compactMap { Int32($0) }
        }
    }

    /// `VmRSS:	  123456 kB`
    private static func resident(_ process: Int32) -> ByteCount? {
        let lines = (text("/proc/\(process)/status") ?? "").split(separator: "\n")
        let words = lines.first { $0.hasPrefix("VmRSS:") }?.split { $0 == " " || $0 == "\t" } ?? []
        guard words.count >= 2, let kibibytes = Int64(words[1]) else { return nil }
        let (bytes, overflow) = kibibytes.multipliedReportingOverflow(by: 1_024)
        return overflow ? nil : ByteCount(bytes)
    }

    private static func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map {
            String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }
}
