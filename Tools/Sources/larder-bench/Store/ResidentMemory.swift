import Foundation

/// The resident memory of this process.
enum ResidentMemory {
    /// - Returns: Bytes; `nil` where there is no `/proc`.
    static func now() -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        let fields = text.split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// The most that it has been.
    static func peak() -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
            let kibibytes = line.split(separator: " ").dropLast().last.flatMap({ Int($0.filter(\.isNumber)) })
        else { return nil }
        return kibibytes * 1_024
    }
}
