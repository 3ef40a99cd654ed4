import Foundation
import Glibc

/// The web, network and other processes that WebKit started for this one.
///
/// When the process that started them goes away they still write to the data store before they end, and would leave
/// parts of a deleted directory behind, or be in the way of the next one that uses a kept directory. So they end first.
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

    /// Lets them write down what they hold, and waits until they are gone; ends those that take longer than 10 seconds.
    ///
    /// WebKit has no call for it: they end by themselves when their connection to this process breaks, and the network
    /// process writes cookies and storage to the disk before that. The loop must not run any more.
    static func endOnTheirOwn() {
        for descriptor in connections() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
        var left = identifiers()
        for _ in 0..<1_000 where !left.isEmpty {
            left = left.filter { child in
                var status: Int32 = 0
                let ended = waitpid(child, &status, WNOHANG)
                return ended == 0 || (ended < 0 && errno == EINTR)
            }
            if !left.isEmpty { _ = poll(nil, 0, 10) }
        }
        end()
    }

    /// The children as Linux lists them, per thread that started them.
    private static func identifiers() -> [pid_t] {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return threads.flatMap { thread in
            let list = (try? String(contentsOfFile: "/proc/self/task/\(thread)/children", encoding: .utf8)) ?? ""
            return list.split(separator: " ").compactMap { pid_t($0) }
        }
    }

    /// The sockets without a name at either end, unix(7): pairs, as WebKit makes them for its processes. Those to the
    /// display and to buses have names.
    private static func connections() -> [Int32] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return all.compactMap { Int32($0) }.filter { descriptor in
            var address = sockaddr_un()
            var length = socklen_t(MemoryLayout<sockaddr_un>.size)
            let status = withUnsafeMutableBytes(of: &address) { bytes in
                bytes.baseAddress.map {
                    getpeername(descriptor, $0.assumingMemoryBound(to: sockaddr.self), &length)
                } ?? -1
            }
            return status == 0 && address.sun_family == sa_family_t(AF_UNIX)
                && Int(length) <= MemoryLayout<sa_family_t>.size
        }
    }
}
