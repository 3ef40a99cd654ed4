import Foundation

/// What the system knows of a running process, from proc(5).
struct ProcessFigures: Sendable {
    let process: Int32

    /// What its descriptors are: paths, or what proc(5) calls sockets and the like.
    var openFiles: [String] {
        let folder = "/proc/\(process)/fd"
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return numbers.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
            .sorted()
    }

    /// How much of its memory is in use, in KiB, without pages of files.
    var residentKibibytes: Int {
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") } ?? ""
        return Int(line.split(whereSeparator: \.isWhitespace).dropFirst().first ?? "") ?? 0
    }

    /// Its children of a name; Linux keeps 15 characters of it.
    func children(named name: String) -> [Int32] {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        let children = threads.flatMap { thread in
            let list = try? String(contentsOfFile: "/proc/\(process)/task/\(thread)/children", encoding: .utf8)
            return (list ?? "").split(separator: " ").compactMap { Int32($0) }
        }
        return children.filter { child in
            let comm = (try? String(contentsOfFile: "/proc/\(child)/comm", encoding: .utf8)) ?? ""
            return comm.trimmingCharacters(in: .newlines) == name.prefix(15)
        }
    }
}
