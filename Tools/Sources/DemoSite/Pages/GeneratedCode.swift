/// Code and data that give the modules the sizes of a real shop's: tables, validators, an assortment, an index.
///
/// All of it is valid and reachable; most of it is never called, like most of what real bundles carry.
enum GeneratedCode {
    /// A repeatable sequence. SplitMix64, so that neighbouring seeds do not resemble each other.
    private struct Sequence {
        var state: UInt64

        mutating func next(below limit: Int) -> Int {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return Int((value ^ (value >> 31)) % UInt64(limit))
        }

        mutating func pick(_ words: [String]) -> String { words[next(below: words.count)] }
    }

    private static let things = [
        "Apple", "Bean", "Beetroot", "Bread", "Butter", "Cabbage", "Cherry", "Chicory", "Cider", "Cream", "Fennel",
        "Fig",
        "Garlic", "Grape", "Honey", "Kale", "Leek", "Lentil", "Melon", "Milk", "Mushroom", "Nut", "Oat", "Onion",
        "Parsnip",
        "Pea", "Pear", "Pepper", "Plum", "Potato", "Pumpkin", "Quince", "Radish", "Rhubarb", "Rice", "Spinach",
        "Turnip",
        "Walnut", "Yoghurt",
    ]
    private static let manners = [
        "fresh", "dried", "smoked", "young", "early", "late", "wild", "roasted", "pickled", "sweet", "small", "golden",
        "organic", "local", "heirloom", "summer", "winter", "mixed", "whole", "sliced",
    ]
    private static let places = [
        "Lindow valley", "Marsh farm", "Isola Chiara", "Upper Tarn", "Heath gardens", "Mill Street", "Costa Brisa",
    ]
    private static let properties = [
        "number", "name", "unit", "cents", "place", "weight", "rank", "stock", "label", "season", "shelf", "code",
    ]

    /// Type guards for the shop's models.
    static let vendor: String = {
        var sequence = Sequence(state: 1)
        var text = ""
        for (index, thing) in (things + things.map { "\($0)Order" } + things.map { "\($0)Batch" }).enumerated() {
            text +=
                "export function is\(thing)(value) {\n"
                + "  if (typeof value !== \"object\" || value === null) return false;\n"
            for _ in 0..<(6 + sequence.next(below: 6)) {
                let property = sequence.pick(properties)
                switch sequence.next(below: 3) {
                case 0:
                    text +=
                        "  if (!Number.isInteger(value.\(property))) return false;\n"
                        + "  if (value.\(property) < \(sequence.next(below: 90))) return false;\n"
                case 1:
                    text +=
                        "  if (typeof value.\(property) !== \"string\") return false;\n"
                        + "  if (value.\(property).length > \(sequence.next(below: 200) + 9)) return false;\n"
                default: text += "  if (value.\(property) === undefined) return false;\n"
                }
            }
            text +=
                "  return value.kind === \(index);\n}\n\nexport const default\(thing) = Object.freeze({ kind: \(index)"
            for property in properties { text += ", \(property): \(sequence.next(below: 10_000))" }
            text += " });\n\n"
        }
        return text
    }()

    /// Lookup tables for checksums.
    static let runtime: String = {
        var sequence = Sequence(state: 2)
        var text = "export const polynomialTables = ["
        for _ in 0..<14 {
            text += "\n  new Uint32Array(["
            for index in 0..<256 {
                if index % 12 == 0 { text += "\n    " }
                text += "0x" + String(sequence.next(below: 1 << 32), radix: 16) + ", "
            }
            text += "\n  ]),"
        }
        return text + "\n];\n\n"
    }()

    /// The shop's words in other languages, as keys and templates.
    static let messages: String = {
        var text = "export const templates = {\n"
        for language in ["cs", "da", "de", "es", "fi", "fr", "hu", "it", "nl", "pl", "pt", "ro", "sv"] {
            text += "  \(language): {\n"
            for thing in things {
                let key = thing.lowercased()
                text += "    \"shelf.\(key).one\": \"{count} × \(key) [\(language)]\","
                text += " \"shelf.\(key).other\": \"{count} × \(key)s, {price} [\(language)]\",\n"
            }
            text += "  },\n"
        }
        return text + "};\n\n"
    }()

    /// Goods beyond the first shelf.
    static let assortment: String = {
        var sequence = Sequence(state: 4)
        var text = "export const assortment = [\n"
        for (index, name) in assortmentNames.enumerated() {
            text +=
                "  { number: \(index + 100), name: \"\(name)\", unit: \"\(50 * (1 + sequence.next(below: 20))) g\", "
            text += "cents: \(sequence.next(below: 900) + 79), place: \"\(sequence.pick(places))\", "
            text += "stock: \(sequence.next(below: 400)), rank: 0.\(sequence.next(below: 9_000) + 1_000) },\n"
        }
        return text + "];\n\n"
    }()

    /// Which goods a beginning of a word leads to.
    static let searchIndex: String = {
        var index: [String: [Int]] = [:]
        for (number, name) in assortmentNames.enumerated() {
            for word in name.lowercased().split(separator: " ") {
                for length in 2...max(2, min(9, word.count)) {
                    index[String(word.prefix(length)), default: []].append(number + 100)
                }
            }
        }
        var text = "export const index = {\n"
        for (start, numbers) in index.sorted(by: { $0.key < $1.key }) {
            text += "  \"\(start)\": [\(numbers.map(String.init).joined(separator: ", "))],\n"
        }
        return text + "};\n\n"
    }()

    /// Energy, protein, sugar and fat of 100 g; the first eight rows are the first shelf's.
    static let nutrition: String = {
        var sequence = Sequence(state: 6)
        var rows = [
            "[18, 0.9, 2.6, 0.2]", "[41, 0.9, 4.7, 0.2]", "[160, 2, 0.7, 14.7]", "[29, 1.1, 2.5, 0.3]",
            "[246, 8.4, 2.1, 1.6]",
            "[403, 27, 0.5, 32]", "[57, 0.7, 10, 0.3]", "[25, 1, 3.5, 0.2]",
        ]
        for _ in 0..<2_800 {
            let values = [400, 30, 20, 30].map { String(sequence.next(below: $0)) }
            rows.append("[\(values.joined(separator: ", "))]")
        }
        return "const nutrition = [\n  \(rows.joined(separator: ",\n  ")),\n];\n\n"
    }()

    private static let assortmentNames: [String] = manners.flatMap { manner in
        things.map { "\(manner.prefix(1).uppercased())\(manner.dropFirst()) \($0.lowercased())" }
    }
}
