import Foundation
import Glibc

/// The web, network and other processes that WebKit started for this one.
///
/// When the process that started them goes away they still write to the data store before they end, and would leave
/// parts of a deleted directory behind. So they are ended first.
enum HelperProcesses {
    /// Ends all child processes of this process and waits until they are gone.
    static func end() {
        let children = identifiers()
        for child in children { _ = kill(child, SIGKILL) }
        for child in children {
            // GLib may have reaped it first; then there is nobody to wait for.
            var status: Int32 = 0
            while waitpid(child, &status, 0) < 0, errno == EINTR {}
        }
    }

    /// The children as Linux lists them, per thread that started them.
    private static func identifiers() -> [pid_t] {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return threads.flatMap { thread in
            let list = (try? String(contentsOfFile: "/proc/self/task/\(thread)/children", encoding: .utf8)) ?? ""
            return list.split(separator: " ").compactMap { pid_t($0) }
        }
    }
}
