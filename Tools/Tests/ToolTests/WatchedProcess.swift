import Foundation
import Glibc

/// A process that need not be a child of ours, to be waited for.
///
/// Over pidfd_open(2), which the C library has and its headers for Swift do not.
final class WatchedProcess {
    let name: String
    private let descriptor: Int32

    /// All processes below one, at this moment.
    static func descendants(of process: Int32) -> [WatchedProcess] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { Int32($0) } ?? []
        var parents: [Int32: Int32] = [:]
        for number in all { parents[number] = parent(of: number) }
        func isBelow(_ number: Int32) -> Bool {
            var (next, steps) = (parents[number], 0)
            while let parent = next, parent > 1, steps < 100 {
                if parent == process { return true }
                (next, steps) = (parents[parent], steps + 1)
            }
            return false
        }
        return all.filter(isBelow).compactMap { WatchedProcess($0) }
    }

    /// Field 4 of proc_pid_stat(5), behind the name, which may hold anything.
    private static func parent(of process: Int32) -> Int32? {
        let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        guard let text, let end = text.lastIndex(of: ")") else { return nil }
        return Int32(text[end...].split(separator: " ").dropFirst(2).first ?? "")
    }

    private init?(_ process: Int32) {
        typealias Open = @convention(c) (pid_t, UInt32) -> Int32
        guard let symbol = dlsym(nil, "pidfd_open") else { return nil }
        descriptor = unsafeBitCast(symbol, to: Open.self)(process, 0)
        let comm = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
        guard descriptor >= 0, let comm else { return nil }
        name = comm.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    deinit { close(descriptor) }

    /// Waits for its end.
    ///
    /// - Returns: Whether it came within so many seconds.
    func ends(within seconds: Int32) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let count = poll(&request, 1, seconds * 1_000)
            if count < 0, errno == EINTR { continue }
            return count == 1
        }
    }
}
