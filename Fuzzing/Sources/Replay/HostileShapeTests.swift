import Testing

/// No time is measured: quadratic work on inputs of this length takes longer than the limit.
@Suite("Long inputs cost the readers time in proportion to their length", .timeLimit(.minutes(10)))
struct HostileShapeTests {
    @Test("64 KiB of each shape", arguments: FuzzTargets.names)
    func shapes(_ name: String) throws {
        let target = try #require(FuzzTargets.named(name))
        for shape in target.shapes {
            #expect(throws: Never.self, "\(shape)") { try target.check(FuzzInput(bytes: shape.bytes(65_536))) }
        }
    }
}
