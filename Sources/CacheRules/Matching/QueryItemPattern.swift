/// A query item by its name, and by its value if patterns are given.
struct QueryItemPattern: Hashable, Sendable {
    let name: [UInt8]
    /// `nil` for any value, or none.
    let values: [GlobPattern]?
    let names: NameSet

    init(_ name: String, _ values: [String]?) {
        self.name = Array(name.utf8)
        self.values = values.map { $0.map { GlobPattern($0, isPath: false) } }
        names = NameSet(self.name)
    }

    /// `&` separates items, and the first `=` of an item separates its name and value.
    func fits(_ subject: borrowing Subject) -> Bool {
        guard names.isSubset(of: subject.prefilter.queryItems) else { return false }
        let query = subject.query
        var start = 0
        while start < query.count {
            let end = query[start...].firstIndex(of: 0x26) ?? query.count
            let equals = query[start..<end].firstIndex(of: 0x3D) ?? end
            if Subject.Bytes(rebasing: query[start..<equals]).equals(name) {
                guard let values else { return true }
                let value = Subject.Bytes(rebasing: query[min(equals + 1, end)..<end])
                if values.contains(where: { $0.fits(value) }) { return true }
            }
            start = end + 1
        }
        return false
    }
}
