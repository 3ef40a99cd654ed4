import Foundation
import HTTPCacheSemantics
import Manifests

/// `larder-bench manifest`: what accepting a list of 10,000 files costs an app.
///
/// `--files N` chooses another number, `--json` is for machines.
enum ManifestBench {
    private struct Result: Encodable {
        var files: Int
        var listBytes: Int
        /// Medians of eleven rounds.
        var hashMilliseconds: Double
        var readMilliseconds: Double
        /// The process's memory: at its most, and before the list was read. Absent without `/proc`.
        var peakBytes: Int?
        var bytesBefore: Int?
    }

    private static let base = "https://static.example.com/shop/"

    static func run(_ arguments: [String]) throws -> Int32 {
        func number(_ option: String, _ standard: Int) -> Int {
            arguments.firstIndex(of: option).flatMap { arguments.dropFirst($0 + 1).first }.flatMap { Int($0) }
                ?? standard
        }
        let count = min(max(1, number("--files", 10_000)), ReleaseList.fileLimit)
        let bytes = list(count).bytes
        let reference = Release.ListReference(to: bytes)
        let before = ResidentMemory.now()

        var times: (hash: [Double], read: [Double]) = ([], [])
        for _ in 0..<11 {
            times.hash.append(milliseconds { _ = BodyDigest(of: bytes) })
            times.read.append(
                try milliseconds { _ = try ReleaseList(accepting: bytes, named: reference, base: base) })
        }
        func median(_ times: [Double]) -> Double { times.sorted()[times.count / 2] }
        let result = Result(
            files: count, listBytes: bytes.count, hashMilliseconds: median(times.hash),
            readMilliseconds: median(times.read), peakBytes: ResidentMemory.peak(), bytesBefore: before)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        let text = arguments.contains("--json") ? try encoder.encode(result) : Data(words(result).utf8)
        FileHandle.standardOutput.write(text + Data([0x0A]))
        return 0
    }

    private static func words(_ result: Result) -> String {
        func megabytes(_ bytes: Int?) -> String {
            bytes.map { String(format: "%.1f MiB", Double($0) / 1_048_576) } ?? "-"
        }
        return String(
            format: """
                %d files, a list of %d bytes
                SHA-256 of the list     %8.2f ms
                accepting it            %8.2f ms
                memory of the process   %@ at its most, %@ before
                """,
            result.files, result.listBytes, result.hashMilliseconds, result.readMilliseconds,
            megabytes(result.peakBytes), megabytes(result.bytesBefore))
    }

    private static func list(_ count: Int) -> ReleaseList {
        ReleaseList(
            release: "11.4",
            files: (0..<count).map { number in
                let digest = BodyDigest(of: Array("\(number)".utf8))
                return ListedFile(
                    path: "static/chunks/section-\(number % 97)/part-\("\(digest)".prefix(8)).js", digest: digest,
                    size: ByteCount(1_000 + number), use: .module, mediaType: "text/javascript",
                    group: number % 10 == 0 ? .boot : .lazy)
            })
    }

    private static func milliseconds(_ work: () throws -> Void) rethrows -> Double {
        let start = DispatchTime.now().uptimeNanoseconds
        try work()
        return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6
    }
}
