import HTTPCacheSemantics
import HTTPTypes
import Manifests
import ResponseStore
import StrictJSON

/// An object of an index, whose values must have the types that are asked for.
struct SeedObject {
    /// The greatest integer that every JSON reader holds exactly (RFC 8259 §6).
    private static let greatestInteger: Int64 = 9_007_199_254_740_991

    let members: [JSONValue.Member]
    private let place: String

    init(_ node: JSONValue.Node, _ place: String) throws(SeedError) {
        guard case .object(let members) = node.value else {
            throw SeedError(.malformed, "Expected \(place), not \(node.value.kind), at octet \(node.offset).")
        }
        (self.members, self.place) = (members, place)
        if let key = members.first(where: { $0.key.utf8.starts(with: "must-".utf8) })?.key {
            throw SeedError(.unsupported, "\(place) has the key \"\(key)\", which needs a newer version of the app.")
        }
    }

    func refusal(_ key: String, _ wanted: String) -> SeedError {
        SeedError(.malformed, "\"\(key)\" in \(place) is missing or is not \(wanted).")
    }

    func node(_ key: String) -> JSONValue.Node? { members.first { $0.key == key }?.node }

    func text(_ key: String, limit: Int) throws(SeedError) -> String {
        guard case .string(let text)? = node(key)?.value, (1...limit).contains(text.utf8.count),
            text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { throw refusal(key, "a text of 1 to \(limit) octets without control characters") }
        return text
    }

    /// Whole, from zero to 2^53 - 1.
    func integer(_ key: String) throws(SeedError) -> Int64 {
        guard case .number(let text)? = node(key)?.value, text.utf8.first != 0x2D, text.utf8.count <= 16,
            let number = Int64(text), number <= Self.greatestInteger
        else { throw refusal(key, "a whole number from 0 to \(Self.greatestInteger)") }
        return number
    }

    /// `offset` and `length`, which have to continue where the last region ended.
    func region(after end: inout Int64) throws(SeedError) -> Range<Int64> {
        guard try integer("offset") == end else { throw refusal("offset", "the end of what comes before it") }
        let (next, overflow) = end.addingReportingOverflow(try integer("length"))
        guard !overflow, next <= Self.greatestInteger else { throw refusal("length", "within 2^53 octets") }
        defer { end = next }
        return end..<next
    }
}

extension SeedEntry {
    init(_ node: JSONValue.Node, after end: inout Int64) throws(SeedError) {
        let object = try SeedObject(node, "a file of the index")
        url = try object.text("url", limit: 8_192)
        guard Self.isURL(url) else { throw object.refusal("url", "an http or https URL in its only spelling") }
        guard let digest = ContentDigest(try object.text("sha256", limit: 64)).flatMap({ BodyDigest($0.bytes) }) else {
            throw object.refusal("sha256", "a SHA-256 as 64 lower-case hexadecimal digits")
        }
        let size = ByteCount(try object.integer("size"))
        content = ExpectedContent(sha256: digest, size: size)
        guard let coding = Coding(rawValue: try object.text("coding", limit: 64)) else {
            throw SeedError(.unsupported, "The content of \(url) has a coding that this version does not know.")
        }
        self.coding = coding
        region = try object.region(after: &end)
        guard coding != .identity || Int64(region.count) == size.bytes else {
            throw object.refusal("length", "the size of a content without a coding")
        }
        destination = PreloadDestination(rawValue: try object.text("as", limit: 64)) ?? .fetch
        group = PreloadGroup(rawValue: try object.text("group", limit: 64)) ?? .page
        fields = try Self.fields(of: object)
    }

    private static func fields(of object: SeedObject) throws(SeedError) -> HTTPFields {
        guard case .object(let members)? = object.node("fields")?.value, members.count <= SeedIndex.fieldLimit else {
            throw object.refusal("fields", "an object of at most \(SeedIndex.fieldLimit) fields")
        }
        var fields = HTTPFields()
        for member in members {
            guard case .string(let value) = member.node.value, let name = HTTPField.Name(member.key),
                name.canonicalName.utf8.elementsEqual(member.key.utf8)
            else { throw object.refusal("fields", "names in lower case, each with a text") }
            let field = HTTPField(name: name, value: value)
            guard field.value.utf8.elementsEqual(value.utf8), isField(field) else {
                throw object.refusal("fields", "free of \"\(name)\" with such a value")
            }
            fields.append(field)
        }
        return fields
    }

    /// The size of the content; an entry always states it.
    package var size: ByteCount { content.size ?? .zero }

    /// One line of the index.
    var text: String {
        let fields = fields.map { field in
            JSONPrinter.quoted(field.name.canonicalName) + ":" + JSONPrinter.quoted(field.value)
        }
        return "{\"url\":\(JSONPrinter.quoted(url)),\"sha256\":\"\(content.sha256)\",\"size\":\(size.bytes),"
            + "\"coding\":\"\(coding.rawValue)\",\"offset\":\(region.lowerBound),\"length\":\(region.count),"
            + "\"as\":\"\(destination.rawValue)\",\"group\":\"\(group.rawValue)\","
            + "\"fields\":{\(fields.joined(separator: ","))}}"
    }
}
