import HTTPTypes

extension HTTPFields {
    /// The place of a field's first line, or of the first from a place on; `nil` without one. Canonical names are ASCII,
    /// so that names of different lengths are different names; most differ in that.
    func place(of name: HTTPField.Name, from start: Int = 0) -> Int? {
        let canonical = name.canonicalName
        let count = canonical.utf8.count
        var place = start
        while place < endIndex {
            let other = self[place].name.canonicalName
            if other.utf8.count == count, other == canonical { return place }
            place += 1
        }
        return nil
    }

    /// The lines of a field as one value, as `subscript` gives it, without an allocation for a single line.
    func combined(_ name: HTTPField.Name) -> String? {
        guard let place = place(of: name) else { return nil }
        return self.place(of: name, from: place + 1) == nil ? self[place].value : self[name]
    }
}
