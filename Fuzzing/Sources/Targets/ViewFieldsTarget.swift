import Foundation
import Preloading

/// What is kept of the fields of a web view.
enum ViewFieldsTarget: FuzzTarget {
    static let name = "view-fields"
    static let shapes = [
        HostileShape("["), HostileShape("{\"accept\":"), HostileShape("\""),
        HostileShape("\"document\":\"a\",", after: "{\"sendsFetchMetadata\":true,\"accept\":{"),
        HostileShape("a", after: "{\"accept\":{},\"sendsFetchMetadata\":true,\"userAgent\":\""),
        HostileShape(" ", after: "{\"accept\":{},\"sendsFetchMetadata\":true}"),
    ]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        guard let fields = read(Data(input.bytes)) else { return }
        let values = [fields.userAgent, fields.acceptLanguage, fields.acceptEncoding].compactMap { $0 }
        for value in values + Array(fields.accept.values) {
            try claim(value.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "a field may have it", [value])
        }
        guard let content = try? PreloadStateFiles.content(fields) else {
            throw BrokenClaim(description: "it can be kept")
        }
        try claim(read(content) == fields, "what is kept is read again", [fields])
        try claim(read(content.dropLast()) == nil, "cut off, it is none", [fields])
    }

    private static func read(_ content: Data) -> ViewFields? { PreloadStateFiles.value(content) }
}
