import HTTPTypes

/// A media type as a web view takes it: many kinds have several names, and servers differ.
package enum MediaTypeKind: Hashable, Sendable {
    case javaScript, font, json, xml
    /// All images, sounds or films: their bytes tell the rest (MIME Sniffing §6).
    case sniffed(String)
    case other(String)

    /// - Parameter essence: Type and subtype in lower case, without parameters.
    package init(_ essence: String) {
        let type = String(essence.prefix { $0 != "/" })
        if Self.scripts.contains(essence) {
            self = .javaScript
        } else if type == "font" || Self.fonts.contains(essence) {
            self = .font
        } else if essence == "application/json" || essence == "text/json" || essence.hasSuffix("+json") {
            self = .json
        } else if ["image", "audio", "video"].contains(type) {
            self = .sniffed(type)
        } else if essence == "text/xml" || essence == "application/xml" {
            self = .xml
        } else {
            self = .other(essence)
        }
    }

    /// "JavaScript MIME type", MIME Sniffing §4.6.
    package static let scripts: Set<String> = [
        "application/ecmascript", "application/javascript", "application/x-ecmascript", "application/x-javascript",
        "text/ecmascript", "text/javascript", "text/javascript1.0", "text/javascript1.1", "text/javascript1.2",
        "text/javascript1.3", "text/javascript1.4", "text/javascript1.5", "text/jscript", "text/livescript",
        "text/x-ecmascript", "text/x-javascript",
    ]

    /// "Font MIME type", MIME Sniffing §4.6, and the names that were used before these.
    package static let fonts: Set<String> = [
        "application/font-cff", "application/font-off", "application/font-sfnt", "application/font-ttf",
        "application/font-woff", "application/font-woff2", "application/vnd.ms-fontobject",
        "application/vnd.ms-opentype", "application/x-font-opentype", "application/x-font-otf",
        "application/x-font-truetype", "application/x-font-ttf", "application/x-font-woff",
    ]

    /// The type and subtype of one value in lower case, without parameters; `nil` if it is no media type.
    package static func essence(_ value: String) -> String? {
        let essence = ListField.trimmed(Substring(value.utf8.prefix { $0 != 0x3B }))
        let parts = essence.utf8.split(separator: 0x2F, omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ HTTPField.Name(String(Substring($0))) != nil }) else { return nil }
        return essence.lowercased()
    }
}

extension HTTPFields {
    /// The type and subtype of the content in lower case, without parameters; `nil` if there is none.
    ///
    /// The last valid one of several values counts, as in "extract a MIME type" (Fetch §2.2.2). Some servers leave the
    /// semicolon out, as in `text/html charset=utf-8`, and web views show the page all the same.
    package var mediaType: String? {
        self[values: .contentType].flatMap { $0.utf8.split(separator: 0x2C) }.compactMap { value in
            let word = value.drop { $0 == 0x20 || $0 == 0x09 }.prefix { $0 != 0x20 && $0 != 0x09 }
            return MediaTypeKind.essence(String(Substring(word)))
        }.last { $0 != "*/*" }
    }
}
