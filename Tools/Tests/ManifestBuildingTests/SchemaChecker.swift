import Foundation

/// The part of JSON Schema (draft 2020-12) that the manifests' schemas use. An unknown keyword is a problem itself.
struct SchemaChecker {
    let root: [String: Any]

    func problems(_ value: Any) -> [String] { problems(value, root, at: "$") }

    private func problems(_ value: Any, _ schema: [String: Any], at place: String) -> [String] {
        schema.keys.sorted().flatMap { keyword -> [String] in
            check(value, keyword, schema[keyword] as Any, at: place).map { "\(place): \(keyword) \($0)" }
                + inner(value, keyword, schema[keyword] as Any, at: place)
        }
    }

    /// Keywords about the value itself.
    private func check(_ value: Any, _ keyword: String, _ wanted: Any, at place: String) -> [String] {
        let (text, number, list) = (value as? String, Self.number(value), value as? [Any])
        let limit = Self.number(wanted)?.doubleValue ?? 0
        let holds: Bool
        switch keyword {
        case "type": holds = Self.isType(value, wanted as? String ?? "")
        case "const": holds = number?.isEqual(to: Self.number(wanted) ?? -1) ?? false
        case "enum": holds = text.map { (wanted as? [String] ?? []).contains($0) } ?? false
        case "required": holds = Set(wanted as? [String] ?? []).isSubset(of: (value as? [String: Any] ?? [:]).keys)
        case "pattern":
            holds = text.map { $0.range(of: wanted as? String ?? "", options: .regularExpression) != nil } ?? true
        case "minLength": holds = text.map { Double($0.unicodeScalars.count) >= limit } ?? true
        case "maxLength": holds = text.map { Double($0.unicodeScalars.count) <= limit } ?? true
        case "minimum": holds = number.map { $0.doubleValue >= limit } ?? true
        case "maximum": holds = number.map { $0.doubleValue <= limit } ?? true
        case "maxItems": holds = list.map { Double($0.count) <= limit } ?? true
        case "$schema", "$id", "title", "description", "examples", "$defs", "$ref", "properties", "patternProperties",
            "items":
            holds = true
        default: return ["is unknown to this check"]
        }
        return holds ? [] : ["does not hold for \(value)"]
    }

    /// Keywords about the parts of the value.
    private func inner(_ value: Any, _ keyword: String, _ wanted: Any, at place: String) -> [String] {
        switch keyword {
        case "$ref":
            let name = (wanted as? String ?? "").replacingOccurrences(of: "#/$defs/", with: "")
            guard let schema = (root["$defs"] as? [String: Any])?[name] as? [String: Any] else { return ["no \(name)"] }
            return problems(value, schema, at: place)
        case "properties":
            let members = value as? [String: Any] ?? [:]
            return (wanted as? [String: [String: Any]] ?? [:]).sorted { $0.key < $1.key }.flatMap { key, schema in
                members[key].map { problems($0, schema, at: place + "." + key) } ?? []
            }
        case "patternProperties":
            // Only `false` is used: no such key.
            let patterns = (wanted as? [String: Any] ?? [:]).keys
            return (value as? [String: Any] ?? [:]).keys.filter { key in
                patterns.contains { key.range(of: $0, options: .regularExpression) != nil }
            }.map { "\(place).\($0) is not allowed" }
        case "items":
            return (value as? [Any] ?? []).enumerated().flatMap {
                problems($0.element, wanted as? [String: Any] ?? [:], at: place + "[\($0.offset)]")
            }
        default: return []
        }
    }

    private static func number(_ value: Any) -> NSNumber? { value is String ? nil : value as? NSNumber }

    private static func isType(_ value: Any, _ name: String) -> Bool {
        switch name {
        case "object": value is [String: Any]
        case "array": value is [Any]
        case "string": value is String
        case "boolean": value is Bool
        case "integer": number(value).map { $0.doubleValue == $0.doubleValue.rounded() } ?? false
        default: false
        }
    }
}
