@testable import CacheRules
import Foundation
import StrictJSON
import Testing

@Suite("docs/rules.schema.json matches the reader")
struct SchemaTests {
    private let root: JSONValue

    init() throws {
        let file = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("../../../docs/rules.schema.json").standardized
        let octets = try #require(FileManager.default.contents(atPath: file.path), "\(file.path) can't be read")
        var reader = JSONReader(Array(octets))
        root = try reader.read().value
        #expect(reader.duplicates.isEmpty)
    }

    private func value(_ path: String...) -> JSONValue {
        var value = root
        for name in path {
            switch value {
            case .object(let members): value = members.first { $0.key == name }?.node.value ?? .null
            case .array(let nodes):
                value = Int(name).flatMap { nodes.indices.contains($0) ? nodes[$0].value : nil } ?? .null
            default: return .null
            }
        }
        return value
    }

    private func keys(_ value: JSONValue) -> [String] {
        if case .object(let members) = value { members.map(\.key) } else { [] }
    }

    private func texts(_ value: JSONValue) -> [String] {
        guard case .array(let nodes) = value else { return [] }
        return nodes.compactMap { if case .string(let text) = $0.value { text } else { nil } }
    }

    private func isClosed(_ value: JSONValue) -> Bool {
        guard case .object(let members) = value else { return false }
        if case .bool(false)? = members.first(where: { $0.key == "additionalProperties" })?.node.value { return true }
        return false
    }

    @Test("it is of the draft that it claims")
    func draft() {
        guard case .string(let draft) = value("$schema") else { return #expect(Bool(false), "no $schema") }
        #expect(draft == "https://json-schema.org/draft/2020-12/schema")
    }

    @Test("each object has exactly the reader's keys, in the order in which they are printed")
    func objects() {
        #expect(keys(value("properties")) == FileKey.allCases.map(\.rawValue))
        #expect(keys(value("$defs", "include", "properties")) == IncludeKey.allCases.map(\.rawValue))
        #expect(keys(value("$defs", "rule", "properties")) == RuleKey.allCases.map(\.rawValue))
        #expect(keys(value("$defs", "condition", "properties")) == ConditionKey.allCases.map(\.rawValue))
        #expect(keys(value("$defs", "key-rule", "properties")) == KeyRuleKey.allCases.map(\.rawValue))
        #expect(isClosed(value("$defs", "key-rule")))
        for object in [root, value("$defs", "include"), value("$defs", "rule"), value("$defs", "condition")] {
            #expect(isClosed(object))
        }
    }

    @Test("each enumeration has exactly the reader's names")
    func enumerations() {
        let condition = { key in self.value("$defs", "condition", "properties", key) }
        func names(_ value: JSONValue, _ path: String...) -> [String] {
            var value = value
            for name in path {
                switch value {
                case .object(let members): value = members.first { $0.key == name }?.node.value ?? .null
                case .array(let nodes): value = nodes.first?.value ?? .null
                default: return []
                }
            }
            return texts(value)
        }
        #expect(names(value("$defs", "verdict"), "enum") == VerdictName.allCases.map(\.rawValue))
        #expect(
            names(value("$defs", "include", "properties", "include"), "enum") == IncludeName.allCases.map(\.rawValue))
        #expect(
            names(value("$defs", "rule", "properties", "caches"), "enum") == Verdict.Reach.allCases.map(\.rawValue))
        #expect(
            names(value("$defs", "rule", "properties", "validate-with"), "enum")
                == ValidationMethod.allCases.map(\.rawValue))
        #expect(
            names(value("$defs", "rule", "properties", "ignoring"), "anyOf", "0", "enum")
                == OverridableDirective.allCases.sorted().map(\.rawValue))
        #expect(names(condition("destination"), "anyOf", "0", "enum") == Destination.allCases.map(\.description))
        let traits = Connectivity.Trait.allCases.map(\.rawValue)
        #expect(names(condition("connectivity"), "anyOf", "0", "enum") == traits)
        #expect(names(condition("freshness"), "enum") == StatedFreshness.allCases.map(\.rawValue))
    }

    @Test("details are allowed for the verdicts that have them")
    func details() {
        for key in [RuleKey.for, .timeout, .caches] {
            let verdicts = value("$defs", "rule", "dependentSchemas", key.rawValue, "properties", "verdict", "enum")
            #expect(texts(verdicts) == VerdictName.allCases.filter { $0.details.contains(key) }.map(\.rawValue))
        }
        #expect(
            texts(value("$defs", "rule", "if", "properties", "verdict", "enum"))
                == VerdictName.allCases.filter(\.needsDetail).map(\.rawValue))
        #expect(texts(value("$defs", "rule", "required")) == ["name", "verdict"])
    }
}
