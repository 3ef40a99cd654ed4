/// A response as it lay on the wire, taken apart without the code under test.
package struct WireResponse: Sendable {
    package var statusLine: String
    package var fields: [(name: String, value: String)]
    /// Everything behind the head, up to the end of the connection.
    package var rest: String

    package var status: Int { Int(statusLine.split(separator: " ").dropFirst().first ?? "") ?? 0 }

    package init?(_ text: String) {
        // Scalars, because CR and LF are one character.
        guard let end = text.firstRange(of: "\r\n\r\n") else { return nil }
        let lines = text[..<end.lowerBound].split(separator: "\r\n", omittingEmptySubsequences: false)
        statusLine = String(lines[0])
        fields = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]).lowercased(), String(parts.last ?? "").trimmingSpaces)
        }
        rest = String(text[end.upperBound...])
    }

    /// The value of the only line with this name.
    package subscript(_ name: String) -> String? {
        let values = fields.filter { $0.name == name }
        return values.count == 1 ? values[0].value : nil
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
