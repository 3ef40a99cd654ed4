import HTTPCacheSemantics

/// `Content-Range`, RFC 9110 §14.4: the value of the field.
enum ContentRangeTarget: FuzzTarget {
    static let name = "content-range"
    static let shapes = [
        HostileShape("9", after: "bytes "), HostileShape("9", after: "bytes 0-"),
        HostileShape("9", after: "bytes 0-1/"), HostileShape(" ", after: "bytes"), HostileShape("a"),
        HostileShape("-", after: "bytes 0"), HostileShape("\t"),
    ]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let text = input.text
        guard let found = ContentRange(text) else { return }
        try claim(found.range.lowerBound >= 0 && !found.range.isEmpty, "a part is not empty", [text, found])
        if let length = found.completeLength {
            try claim(found.range.upperBound <= length, "a part lies inside the whole (§14.4)", [text, found])
        }
        try claim(ContentRange(found.description) == found, "what is printed is read again", [text, found])
        try claim(ContentRange(" \t" + text + "\t ") == found, "white space around is no part", [text])
    }
}
