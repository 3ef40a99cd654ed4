/// Which part of a representation a GET is answered with. RFC 9110 §14.
enum RangeAnswer: Hashable {
    /// 200: no range asked for, or one that may be ignored.
    case whole
    /// 206 with these bytes.
    case part(Range<Int>)
    /// 416: the range is well-formed and holds nothing.
    case unsatisfiable

    /// Decides from the request's fields.
    ///
    /// Several ranges at once are answered with the whole, which §14.2 allows ("MAY ignore").
    ///
    /// - Parameters:
    ///   - range: `Range`.
    ///   - ifRange: `If-Range`; §13.1.5 wants a strong match, or the very `Last-Modified`.
    ///   - entityTag: The representation's strong entity tag.
    ///   - lastModified: The representation's `Last-Modified`.
    ///   - length: The representation's length in bytes.
    init(range: String?, ifRange: String?, entityTag: String?, lastModified: String?, length: Int) {
        self = .whole
        guard let range, range.lowercased().hasPrefix("bytes=") else { return }
        if let ifRange, ifRange != entityTag, ifRange != lastModified { return }
        let specifier = range.dropFirst("bytes=".count).filter { $0 != " " && $0 != "\t" }
        let ends = specifier.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, ends.allSatisfy({ end in end.utf8.allSatisfy { (48...57).contains($0) } }) else {
            return
        }
        switch (Int(ends[0]), Int(ends[1])) {
        case (nil, nil): return
        case (nil, let count?):  // suffix-range: the last bytes
            self = count == 0 || length == 0 ? .unsatisfiable : .part(max(0, length - count)..<length)
        case (let first?, let last):
            if let last, last < first { return }  // invalid, §14.1.1
            if ends[1].isEmpty == false, last == nil { return }
            self = first >= length ? .unsatisfiable : .part(first..<min(length, (last ?? length - 1) + 1))
        }
    }
}
