/// A satisfied `Content-Range`, RFC 9110 §14.4.
package struct ContentRange: Hashable, Sendable, CustomStringConvertible {
    /// The half-open range of the content.
    package var range: Range<Int64>
    /// The complete length; `nil` for `*`.
    package var completeLength: Int64?

    package init(range: Range<Int64>, completeLength: Int64?) {
        self.range = range
        self.completeLength = completeLength
    }

    /// - Returns: `nil` for another unit, an unsatisfied range (`bytes */47`) or invalid grammar.
    package init?(_ value: String) {
        var scanner = ByteScanner(ListField.trimmed(value))
        guard scanner.token()?.lowercased() == "bytes", scanner.take(" ") else { return nil }
        guard let first = scanner.digits(), scanner.take("-"), let last = scanner.digits(), scanner.take("/"),
            last >= first, last < Int64.max
        else { return nil }
        range = first..<last + 1
        if scanner.take("*") {
            completeLength = nil
        } else {
            guard let length = scanner.digits(), last < length else { return nil }
            completeLength = length
        }
        guard scanner.isAtEnd else { return nil }
    }

    /// Whether the content is the whole representation, so that it can be stored as a complete 200 response
    /// (RFC 9110 §15.3.7.3: "If the union consists of the entire range of the representation").
    package var isComplete: Bool {
        range.lowerBound == 0 && range.upperBound == completeLength
    }

    package var description: String {
        "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(completeLength.map(String.init) ?? "*")"
    }
}
