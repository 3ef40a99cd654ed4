import ChildPrograms
import Foundation

/// A transfer by curl that is looked at while it is under way, head first.
struct UnfinishedTransfer {
    private let process: ChildProcess
    private let output: OutputPipe

    init(_ proxy: String, _ url: String) throws {
        output = try OutputPipe()
        process = try ChildProcess("/usr/bin/curl", ["-siN", "-x", proxy, url], output: .pipe(output))
    }

    /// Reads until that much has arrived, or the transfer ended.
    @discardableResult
    func read(upTo count: Int) throws -> String {
        let all = output.read { $0.count >= count }
        return String(decoding: all, as: UTF8.self)
    }

    func end() {
        process.terminate()
        process.wait()
    }
}
