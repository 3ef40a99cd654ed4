import HTTPCacheSemantics
import HTTPTypes
import Manifests
import ResponseStore
import StrictJSON

extension ManifestObject {
    /// `offset` and `length`, which have to continue where the last region ended.
    func region(after end: inout Int64) throws(ManifestRefusal) -> Range<Int64> {
        guard try integer("offset") == end else { throw refusal("offset", "the end of what comes before it") }
        let (next, overflow) = end.addingReportingOverflow(try integer("length"))
        guard !overflow, next <= Self.greatestInteger else { throw refusal("length", "within 2^53 octets") }
        defer { end = next }
        return end..<next
    }
}

extension SeedEntry {
    init(_ node: JSONValue.Node, after end: inout Int64) throws(ManifestRefusal) {
        let object = try ManifestObject(node, "a file of the index", .malformed)
        url = try object.text("url", limit: 8_192)
        guard Self.isURL(url) else { throw object.refusal("url", "an http or https URL in its only spelling") }
        guard let digest = BodyDigest(try object.digest("sha256").bytes) else {
            throw object.refusal("sha256", "a SHA-256 as 64 lower-case hexadecimal digits")
        }
        let size = ByteCount(try object.integer("size"))
        content = ExpectedContent(sha256: digest, size: size)
        guard let coding = Coding(rawValue: try object.text("coding", limit: 64)) else {
            throw ManifestRefusal(.unsupported, "The content of \(url) has a coding that this version does not know.")
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

    private static func fields(of object: ManifestObject) throws(ManifestRefusal) -> HTTPFields {
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
