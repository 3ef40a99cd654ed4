import HTTPCacheSemantics
import HTTPTypes
import Manifests
import ResponseStore
import StrictJSON

/// One response of a seed: a 200 to a GET.
package struct SeedEntry: Hashable, Sendable {
    /// How the octets in the file are coded.
    package enum Coding: String, Hashable, Sendable, CaseIterable {
        case identity, gzip
    }

    /// Absolute, http or https, in its only spelling.
    package var url: String
    /// The hash and size of the content without its coding.
    package var content: ExpectedContent
    package var coding: Coding
    /// Where its octets are, counted from the end of the index.
    package var region: Range<Int64>
    package var destination: PreloadDestination
    package var group: PreloadGroup
    /// Without those that describe the transfer, and without `Content-Encoding`, which ``coding`` says.
    package var fields: HTTPFields

    package init(
        url: String, content: ExpectedContent, coding: Coding = .identity, region: Range<Int64>,
        destination: PreloadDestination, group: PreloadGroup = .boot, fields: HTTPFields = [:]
    ) {
        (self.url, self.content, self.coding, self.region) = (url, content, coding, region)
        (self.destination, self.group, self.fields) = (destination, group, fields)
    }

    /// Fields that no seed has: they describe a transfer, belong to one user, act on others, or are said elsewhere.
    private static let excluded: Set<String> = [
        "age", "clear-site-data", "connection", "content-encoding", "content-length", "content-range", "keep-alive",
        "proxy-authenticate", "proxy-connection", "set-cookie", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// Whether a text is the URL of a response in its only spelling.
    package static func isURL(_ text: String) -> Bool {
        guard text.utf8.count <= 8_192, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x23 && $0 != 0x5C }),
            let parts = TargetURI.split(text), parts.scheme == "https" || parts.scheme == "http"
        else { return false }
        // As manifests have them, so that nothing gets in that a browser or an origin reads as another one's URL.
        let path = parts.path.prefix { $0 != "?" }
        return TargetURI.resolve(text, against: text) == text
            && TargetURI.normalized(scheme: parts.scheme, authority: parts.authority, path: parts.path) == text
            && BaseURL.isAuthority(parts.authority) && BaseURL.isPath(String(path))
            && !PercentEncoding.pieces(parts.path[path.endIndex...].utf8).contains { $0.written.elementsEqual([0x25]) }
    }

    /// Whether a field may be part of a seed.
    package static func isField(_ field: HTTPField) -> Bool {
        !excluded.contains(field.name.canonicalName) && field.name.rawName.utf8.first != 0x3A
            && field.value.utf8.count <= 8_192
            && HTTPField.isValidValue(field.value)
    }

    /// The head of the response. Without a `Date` of its own it was made when the seed was built.
    func head(built: WallInstant) -> HTTPResponse {
        var head = HTTPResponse(status: .ok, headerFields: fields)
        if coding == .gzip { head.headerFields[.contentEncoding] = "gzip" }
        if !head.headerFields.contains(.date) { head.headerFields[.date] = HTTPDate.print(built) }
        return head
    }

    init(_ node: JSONValue.Node, after end: inout Int64) throws(ManifestRefusal) {
        let object = try ManifestObject(node, "a file of the index", .malformed)
        url = try object.text("url", limit: 8_192)
        guard Self.isURL(url) else { throw object.refusal("url", "an http or https URL in its only spelling") }
        let digest = try object.digest("sha256")
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
