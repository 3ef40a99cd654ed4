/// Finds a text in bytes that come in pieces, after Knuth, Morris and Pratt: each byte is looked at once.
struct BoundarySearch {
    private let text: [UInt8]
    /// For each length matched, the longest shorter one to go on with.
    private let fallback: [Int]
    private var matched = 0

    init(_ text: [UInt8]) {
        var fallback = [Int](repeating: 0, count: text.count + 1)
        var length = 0
        for place in text.indices.dropFirst() {
            while length > 0, text[place] != text[length] { length = fallback[length] }
            if text[place] == text[length] { length += 1 }
            fallback[place + 1] = length
        }
        self.text = text
        self.fallback = fallback
    }

    /// Whether the text ends in these bytes, which follow the earlier ones.
    mutating func finds(in bytes: [UInt8]) -> Bool {
        for byte in bytes {
            while matched > 0, text[matched] != byte { matched = fallback[matched] }
            if text[matched] == byte { matched += 1 }
            if matched == text.count {
                matched = 0
                return true
            }
        }
        return false
    }
}
