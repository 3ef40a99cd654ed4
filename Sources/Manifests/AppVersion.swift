/// An app's version: one to eight whole numbers with dots between them. `5.2` and `5.2.0` are the same.
package struct AppVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Without zeros at the end.
    private var numbers: [UInt32]

    /// - Returns: `nil` for any other text, such as `5.2-beta`.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: 0x2E, omittingEmptySubsequences: false)
        guard parts.count <= 8 else { return nil }
        numbers = []
        for part in parts {
            guard (1...9).contains(part.count), part.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = UInt32(Substring(part))
            else { return nil }
            numbers.append(number)
        }
        while numbers.count > 1, numbers.last == 0 { numbers.removeLast() }
    }

    package var description: String { numbers.map(String.init).joined(separator: ".") }

    package static func < (one: Self, other: Self) -> Bool { one.numbers.lexicographicallyPrecedes(other.numbers) }
}
