import Foundation
import LarderHost

/// A transfer by curl that is looked at while it is under way, head first.
struct UnfinishedTransfer {
    private let process = Process()
    private let pipe = Pipe()

    init(_ proxy: String, _ url: String) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
        process.arguments = ["-siN", "-x", proxy, url]
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.runWithOpenSignals()
    }

    /// Reads until that much has arrived, or the transfer ended.
    @discardableResult
    func read(upTo count: Int) throws -> String {
        let all = PipeReader.read(pipe) { $0.count >= count }
        return String(decoding: all, as: UTF8.self)
    }

    func end() {
        if process.isRunning { process.terminate() }
        process.waitUntilExit()
    }
}
