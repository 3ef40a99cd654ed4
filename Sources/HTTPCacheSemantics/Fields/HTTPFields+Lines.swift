import HTTPTypes

/// The values of one field's lines, in order. A single line needs no array.
enum FieldLines {
    case none
    case one(String)
    /// Two or more.
    case several([String])

    /// All lines.
    var all: [String] {
        switch self {
        case .none: []
        case .one(let line): [line]
        case .several(let lines): lines
        }
    }

    /// All lines with a comma and a space between them, as RFC 9110 §5.2 combines them; `nil` without a line.
    var combined: String? {
        switch self {
        case .none: nil
        case .one(let line): line
        case .several(let lines): lines.joined(separator: ", ")
        }
    }
}

extension HTTPFields {
    /// Finds the lines of a field in one pass.
    func lines(_ name: HTTPField.Name) -> FieldLines {
        guard let first = position(of: name, from: 0) else { return .none }
        guard position(of: name, from: first + 1) != nil else { return .one(self[first].value) }
        return .several(self[values: name])
    }

    /// The lines of a field as one value, as `subscript` gives it; a single line costs no allocation.
    package func combined(_ name: HTTPField.Name) -> String? {
        guard let first = position(of: name) else { return nil }
        return position(of: name, from: first + 1) == nil ? self[first].value : self[name]
    }

    /// The value of a field's first line; `nil` without a line.
    func firstLine(_ name: HTTPField.Name) -> String? {
        position(of: name, from: 0).map { self[$0].value }
    }

    /// The index of a field's first line at or after `start`; `nil` if there is none. Canonical names are ASCII, so
    /// names of different lengths are different names; most differ in length.
    package func position(of name: HTTPField.Name, from start: Int = 0) -> Int? {
        let canonical = name.canonicalName
        let count = canonical.utf8.count
        var index = start
        while index < endIndex {
            let other = self[index].name.canonicalName
            if other.utf8.count == count, other == canonical { return index }
            index += 1
        }
        return nil
    }
}
