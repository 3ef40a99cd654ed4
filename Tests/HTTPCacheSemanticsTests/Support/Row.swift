import Testing

/// A row of a table: what goes in, what must come out, and the sentence of the standard that decides.
struct Row<Given: Sendable, Expected: Sendable>: Sendable, CustomTestStringConvertible {
    var given: Given
    var expected: Expected
    var source: String

    init(_ given: Given, _ expected: Expected, _ source: String) {
        self.given = given
        self.expected = expected
        self.source = source
    }

    var testDescription: String { "\(given) → \(expected), as \(source)" }
}
