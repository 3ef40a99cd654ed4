import Foundation

/// Finding programs to start.
enum Executable {
    /// The full path of a program in `PATH`; `nil` when it is not there.
    static func inPath(_ name: String, environment: [String: String] = ProcessInfo.processInfo.environment) -> String? {
        (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// A program that is installed beside this one.
    static func besideUs(_ name: String) -> String? {
        guard let own = Bundle.main.executablePath else { return nil }
        let path = URL(fileURLWithPath: own).resolvingSymlinksInPath().deletingLastPathComponent().path + "/" + name
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }
}
