import Foundation
import Testing

/// The inputs that `make fuzz` starts from, and those that it found, without libFuzzer.
@Suite("The corpora of the fuzzers")
struct CorpusReplayTests {
    private static let corpora = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Corpora")

    private static func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }.sorted()
    }

    @Test("every claim holds for every file", arguments: FuzzTargets.names)
    func replay(_ name: String) throws {
        let target = try #require(FuzzTargets.named(name))
        let folder = Self.corpora.appending(path: name)
        let files = try Self.names(in: folder)
        #expect((10...60).contains(files.count), "a corpus is neither empty nor a run's whole find")
        for file in files {
            let bytes = try Array(Data(contentsOf: folder.appending(path: file)))
            #expect(bytes.count <= 2_048, "\(file) is small enough to be read")
            #expect(throws: Never.self, "\(name)/\(file)") { try target.check(FuzzInput(bytes: bytes)) }
        }
    }

    @Test("every corpus has a target, and every target its own name")
    func names() throws {
        let targets = FuzzTargets.names
        #expect(Set(targets).count == targets.count)
        #expect(try Self.names(in: Self.corpora) == targets.sorted())
    }
}
