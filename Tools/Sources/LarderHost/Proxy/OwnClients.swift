import Foundation

/// Knows the web views that this process has started by their connections, on Linux: no page can change what the system says
/// of those, and no other program can say it of its own.
enum OwnClients {
    /// Whether a process below this one has opened a connection from one port of 127.0.0.1 to another. Reads what the
    /// system says of all connections, which takes milliseconds.
    @Sendable
    static func include(from client: Int, to port: Int) -> Bool {
        guard let socket = socket(from: client, to: port) else { return false }
        var processes = children(of: "self")
        while let process = processes.popLast() {
            if holds(process, socket) { return true }
            processes += children(of: process)
        }
        return false
    }

    /// The socket of the client's side, as links to it read. See proc(5).
    private static func socket(from client: Int, to port: Int) -> String? {
        let ends = [client, port].map { port in
            let digits = String(port, radix: 16, uppercase: true)
            return "0100007F:" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        }
        for line in text("net/tcp").split(separator: "\n") {
            let columns = line.split(separator: " ")
            guard columns.count > 9, columns[1] == ends[0], columns[2] == ends[1] else { continue }
            // A socket that nobody holds any more has none.
            return columns[9] == "0" ? nil : "socket:[\(columns[9])]"
        }
        return nil
    }

    private static func children(of process: String) -> [String] {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        return threads.flatMap { text("\(process)/task/\($0)/children").split(separator: " ").map(String.init) }
    }

    private static func holds(_ process: String, _ socket: String) -> Bool {
        let folder = "/proc/\(process)/fd/"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.contains { (try? FileManager.default.destinationOfSymbolicLink(atPath: folder + $0)) == socket }
    }

    private static func text(_ name: String) -> String {
        (try? String(contentsOfFile: "/proc/" + name, encoding: .utf8)) ?? ""
    }
}
