import Foundation

/// What other readers made of many inputs: the files of `scripts/syntax-expectations`.
enum Expectations {
    static let folder = ProcessInfo.processInfo.environment["LARDER_SYNTAX_EXPECTATIONS"]
    static var areThere: Bool { folder?.isEmpty == false }
    static let advice = "LARDER_SYNTAX_EXPECTATIONS is the folder that scripts/syntax-expectations prints"

    static func rows(_ file: String) throws -> [[String: Any]] {
        let data = try Data(contentsOf: URL(filePath: folder ?? "").appending(path: file))
        return try data.split(separator: 0x0A).compactMap { line in
            try JSONSerialization.jsonObject(with: line) as? [String: Any]
        }
    }

    /// A JSON value as text with one order of keys.
    static func text(_ value: Any) -> String {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes, .fragmentsAllowed]
        let data = try? JSONSerialization.data(withJSONObject: value, options: options)
        return data.map { String(decoding: $0, as: UTF8.self) } ?? "no JSON"
    }
}

/// Cuts inputs; the same cuts for the same seed.
struct Cutter {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 2 &+ 1 }

    mutating func next(below bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
    }

    /// - Parameter longest: Of a piece.
    mutating func pieces(of bytes: [UInt8], longest: Int) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + 1 + next(below: longest))
            pieces.append(bytes[start..<end])
            start = end
        }
        return pieces
    }
}
