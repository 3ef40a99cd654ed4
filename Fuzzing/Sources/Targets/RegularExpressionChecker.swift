@testable import CacheRules

/// Where a parsed pattern matches in a short text, by the meaning of each construct: for every position the positions
/// at which a match that begins there may end. Not an automaton, so that it is independent of the program that it
/// checks.
struct RegularExpressionChecker {
    /// A set of positions in the text, one bit for each.
    private typealias Places = UInt64

    private indirect enum Node {
        case octets(OctetSet)
        case start, end
        case sequence([Int])
        case alternatives([Int])
        case repeated(Int, least: Int, most: Int)
    }

    private let text: [UInt8]
    private var nodes: [Node] = []
    /// For each node and position the ends; a bit past the text means unknown.
    private var known: [Places] = []

    /// Whether it matches anywhere.
    private(set) var fits = false

    /// - Returns: `nil` for texts and patterns that would take long.
    init?(_ pattern: String, _ text: [UInt8]) {
        guard text.count <= 48, pattern.utf8.count <= 128, let syntax = try? RegularExpressionParser.parse(pattern)
        else { return nil }
        self.text = text
        let root = add(syntax)
        known = Array(repeating: Self.unknown, count: nodes.count * (text.count + 1))
        fits = (0...text.count).contains { ends(root, $0) != 0 }
    }

    private static let unknown: Places = 1 << 63

    private mutating func add(_ syntax: RegularExpressionSyntax) -> Int {
        let node: Node =
            switch syntax {
            case .empty: .sequence([])
            case .octets(let set): .octets(set)
            case .start: .start
            case .end: .end
            case .sequence(let parts): .sequence(parts.map { add($0) })
            case .alternatives(let parts): .alternatives(parts.map { add($0) })
            // More repetitions than positions add no new end.
            case .repeated(let part, let least, let most):
                .repeated(add(part), least: min(least, text.count + 1), most: most.map { $0 - least } ?? .max)
            }
        nodes.append(node)
        return nodes.count - 1
    }

    private mutating func ends(_ node: Int, _ place: Int) -> Places {
        let slot = node * (text.count + 1) + place
        if known[slot] != Self.unknown { return known[slot] }
        let here: Places = 1 << UInt64(place)
        var found: Places = 0
        switch nodes[node] {
        case .octets(let set): found = place < text.count && set.contains(text[place]) ? here << 1 : 0
        case .start: found = place == 0 ? here : 0
        case .end: found = place == text.count ? here : 0
        case .sequence(let parts):
            found = here
            for part in parts { found = step(part, found) }
        case .alternatives(let parts):
            for part in parts { found |= ends(part, place) }
        case .repeated(let part, let least, let most):
            found = here
            for _ in 0..<least { found = step(part, found) }
            var round = 0
            while round < most {
                let more = found | step(part, found)
                if more == found { break }
                (found, round) = (more, round + 1)
            }
        }
        known[slot] = found
        return found
    }

    private mutating func step(_ node: Int, _ places: Places) -> Places {
        var (found, rest) = (Places(0), places)
        while rest != 0 {
            found |= ends(node, rest.trailingZeroBitCount)
            rest &= rest - 1
        }
        return found
    }
}
