/// A file of the site's source: a module, a style sheet or a font, before the build.
///
/// Text refers to other files as `~/name`, such as `import "~/vendor.js"` or `url("~/pantry.ttf")`.
struct ChunkSource {
    /// File name in the source, such as `home.js`.
    let name: String
    /// Whether the shop's own host serves it, and not the CDN.
    let isOnShop: Bool
    /// Contents.
    let bytes: [UInt8]

    /// A text file.
    init(_ name: String, isOnShop: Bool = false, text: String) {
        self.name = name
        self.isOnShop = isOnShop
        bytes = Array(text.utf8)
    }

    /// A binary file, which refers to nothing.
    init(_ name: String, bytes: [UInt8]) {
        self.name = name
        isOnShop = false
        self.bytes = bytes
    }

    /// The part of the name before the last dot.
    var stem: String { name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name }

    /// The part of the name after the last dot.
    var suffix: String { name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? "" }

    /// Folder of the built file on its host.
    var folder: String {
        switch suffix {
        case "js": isOnShop ? "/assets/" : "/assets/js/"
        case "css": "/assets/css/"
        default: "/assets/fonts/"
        }
    }

    /// `Content-Type` of the built file.
    var contentType: String {
        switch suffix {
        case "js": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        default: "font/ttf"
        }
    }
}
