import StrictJSON

/// Which groups the pages under a pattern need.
public struct PageNeeds: Hashable, Sendable {
    /// A glob over the path of a page, as rules files have it: `/item/*`.
    public var match: String
    public var needs: [FileGroup]

    public init(match: String, needs: [FileGroup]) { (self.match, self.needs) = (match, needs) }

    init(_ node: JSONValue.Node) throws(ManifestRefusal) {
        let object = try ManifestObject(node, "a page of the list", .listMalformed)
        match = try object.text("match", limit: 1_024)
        needs = try object.texts("needs", count: 64, limit: 1_024).map { FileGroup($0) }
    }

    var json: JSONValue {
        .members([("match", .string(match)), ("needs", .list(needs.map { .string($0.name) }))])
    }
}
