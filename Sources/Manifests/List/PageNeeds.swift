import StrictJSON

/// Which groups the pages under a pattern need, and whether they may be opened ahead of need.
package struct PageNeeds: Hashable, Sendable {
    /// A glob over the path of a page, as rules files have it: `/item/*`.
    package var match: String
    package var needs: [FileGroup]
    /// Whether a GET of them does something, so that they are never asked for ahead of need; `false` unless set.
    package var hasSideEffects: Bool

    package init(match: String, needs: [FileGroup], hasSideEffects: Bool = false) {
        (self.match, self.needs, self.hasSideEffects) = (match, needs, hasSideEffects)
    }

    init(_ node: JSONValue.Node) throws(ManifestRefusal) {
        let object = try ManifestObject(node, "a page of the list", .listMalformed)
        match = try object.text("match", limit: 1_024)
        needs = try object.texts("needs", count: 64, limit: 1_024).map { FileGroup($0) }
        hasSideEffects = try object.flag("sideEffects")
    }

    var json: JSONValue {
        .members(
            [("match", .string(match)), ("needs", .list(needs.map { .string($0.name) }))]
                + (hasSideEffects ? [("sideEffects", .bool(true))] : []))
    }
}
