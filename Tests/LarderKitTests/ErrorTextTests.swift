import CacheEngine
import CacheRules
import Decoding
import Foundation
import HTTPTypes
import Manifests
import Preloading
import ResponseStore
import SchemeTasks
import Testing
import WKWebViewAdapter

@testable import Fetching
@testable import LarderKit

@Suite("What an error says of itself to the system")
struct ErrorTextTests {
    private static let text = "It did not work; try again."

    @Test("is what happened and what helps, for each that an app can catch")
    func messages() throws {
        let errors: [any Error] = [
            LarderError(code: .appGroupUnavailable, message: Self.text),
            EngineError(code: .timedOut, message: Self.text), StoreError(code: .writeFailed, message: Self.text),
            TransportError(code: .timedOut, message: Self.text), WebViewError(code: .modeFailed, message: Self.text),
            ManifestUpdateError(.offline, Self.text), SeedError(.damaged, Self.text),
            FetchError(code: .mixedContent, message: Self.text), SchemeTaskError(code: .timedOut, message: Self.text),
            PreloadRefusal(.status, Self.text),
        ]
        for error in errors {
            #expect(error.localizedDescription == Self.text, "\(type(of: error))")
            #expect((error as NSError).localizedDescription == Self.text, "\(type(of: error))")
        }
    }

    @Test("names the line of a file where there is one")
    func lines() {
        let list = #expect(throws: PreloadListError.self) {
            try PreloadList.read(Array("https://\n".utf8), group: .page)
        }
        #expect(
            list?.localizedDescription == list?.description && list?.localizedDescription.contains("line 1") == true)
        let rules = #expect(throws: RulesFileError.self) { try RuleList(json: Array("{".utf8)) }
        #expect(rules?.localizedDescription == rules?.description)
    }

    @Test("is stated for every public error of the modules that an app can have")
    func all() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../Sources")
            .standardizedFileURL
        let files = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
        let texts = try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
            .map { try String(contentsOf: $0, encoding: .utf8) }
        var errors: Set<String> = []
        var stated: Set<String> = []
        for text in texts {
            for match in text.matches(of: /public (?:struct|enum|final class) (\w+): (?:\w+, )*Error\b/) {
                errors.insert(String(match.1))
            }
            for match in text.matches(of: /extension ([\w.]+): (?:MessageError|DescribedError)/) {
                stated.insert(String(match.1.split(separator: ".").last ?? ""))
            }
        }
        #expect(errors.count > 12)
        // CacheTesting's is for tests.
        #expect(errors.subtracting(stated) == ["ConformanceFailure"])
    }
}
