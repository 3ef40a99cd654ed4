import Foundation
import Testing

/// Every kind of load that a page can make, in every mode and in a real WebKitGTK.
@Suite("the kinds of loads in each mode, in a real web view", .serialized)
struct InterceptionModeTests {
    struct Measurement: Sendable {
        var kinds: [MatrixKind]
        var passes: [MatrixMode: MatrixPass]
    }

    /// Measured once for all tests.
    private static let measurement = Task {
        let stage = try await MatrixStage()
        var measurement = Measurement(kinds: try await stage.kinds(), passes: [:])
        for mode in MatrixMode.allCases { measurement.passes[mode] = try await stage.measure(mode) }
        await stage.stop()
        return measurement
    }

    @Test("a plain network does with each kind what the page says it does")
    func network() async throws {
        let measurement = try await Self.measurement.value
        #expect(Set(measurement.kinds.map(\.name)).count == measurement.kinds.count)
        #expect(measurement.kinds.count >= 200)
        try await expect(.network) { $0.expected }
    }

    @Test(
        "each mode handles each kind as the network does, unless the reason why not is written down",
        arguments: [MatrixMode.proxy, .httpsScheme, .appScheme])
    func mode(_ mode: MatrixMode) async throws {
        let differences = MatrixDifference.all(in: mode)
        let names = differences.flatMap(\.results.keys)
        #expect(Set(names).count == names.count)
        let known = Set(try await Self.measurement.value.kinds.map(\.name))
        #expect(known.isSuperset(of: names), "\(Set(names).subtracting(known))")
        let network = try #require(try await Self.measurement.value.passes[.network]?.cold)
        try await expect(mode) { kind in
            differences.compactMap { $0.results[kind.name] }.first ?? network[kind.name] ?? "?"
        }
    }

    private func expect(_ mode: MatrixMode, _ expected: (MatrixKind) -> String) async throws {
        let measurement = try await Self.measurement.value
        let pass = try #require(measurement.passes[mode])
        for (name, results) in [("cold", pass.cold), ("warm", pass.warm)] {
            let others = measurement.kinds.filter { results[$0.name] != expected($0) }
                .map { "\($0.name): \(results[$0.name] ?? "nothing"), not \(expected($0))" }
            #expect(others.isEmpty, "\(mode.rawValue), \(name)")
        }
    }

    @Test("docs/modes.md says what was measured; with LARDER_WRITE_MODES it is written")
    func document() async throws {
        let measurement = try await Self.measurement.value
        let document = ModesDocument(kinds: measurement.kinds, passes: measurement.passes)
        if let version = ProcessInfo.processInfo.environment["LARDER_WRITE_MODES"] {
            try document.text(webKit: version).write(to: ModesDocument.file, atomically: true, encoding: .utf8)
        }
        let written = try String(contentsOf: ModesDocument.file, encoding: .utf8)
        #expect(
            ModesDocument.withoutVersion(written) == ModesDocument.withoutVersion(document.text(webKit: "")),
            "Run `make modes`.")
    }
}
