import Preloading

/// What is kept of the fields of a web view.
enum ViewFieldsTarget: FuzzTarget {
    static let name = "view-fields"
    static let shapes = [
        HostileShape("\n"), HostileShape(" "), HostileShape("larder-view-fields 1\n"),
        HostileShape("accept document a\n", after: "larder-view-fields 1\n"),
        HostileShape("a", after: "larder-view-fields 1\nuser-agent "),
        HostileShape("fetch-metadata yes\n", after: "larder-view-fields 1\n"),
    ]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        guard let fields = ViewFields(text: input.text) else { return }
        let values = [fields.userAgent, fields.acceptLanguage, fields.acceptEncoding].compactMap { $0 }
        for value in values + Array(fields.accept.values) {
            try claim(value.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "a field may have it", [value])
        }
        try claim(ViewFields(text: fields.text) == fields, "what is printed is read again", [fields])
        try claim(ViewFields(text: String(fields.text.dropLast())) == nil, "cut off, it is none", [fields])
    }
}
