import Testing

/// No time is measured: quadratic work on the longest of these takes longer than the limit.
@Suite("Long inputs cost the readers time in proportion to their length", .timeLimit(.minutes(10)))
struct HostileShapeTests {
    @Test("four times as long, and again", arguments: FuzzTargets.names)
    func shapes(_ name: String) throws {
        let target = try #require(FuzzTargets.named(name))
        for shape in target.shapes {
            for length in [4_096, 16_384, 65_536] {
                #expect(throws: Never.self, "\(shape), \(length) bytes") {
                    try target.check(FuzzInput(bytes: shape.bytes(length)))
                }
            }
        }
    }
}
