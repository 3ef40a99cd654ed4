/// A file name with the extension of a static file, split from its end.
struct StaticFileName {
    /// The kind of a file, by its extension.
    enum Kind {
        /// Scripts, style sheets, WebAssembly, source maps and fonts: build tools write them, and
        /// users rarely upload them.
        case code
        /// Images, media and data: build tools write them, and users upload them too.
        case content
    }

    /// The name without extensions and without the markers of build tools, where a hash would end.
    let stem: Range<Int>
    let kind: Kind
    /// Whether the name has webpack's `.chunk`.
    private(set) var isChunk = false

    /// - Returns: `nil` if the extension is not one of a static file.
    init?(_ bytes: UnsafeBufferPointer<UInt8>, in name: Range<Int>) {
        var end = name.upperBound
        guard var suffix = Self.takeSuffix(bytes, from: name.lowerBound, &end) else { return nil }
        if Self.encodings.contains(suffix) {
            guard let inner = Self.takeSuffix(bytes, from: name.lowerBound, &end) else { return nil }
            suffix = inner
        }
        if Self.code.contains(suffix) {
            kind = .code
        } else if Self.content.contains(suffix) {
            kind = .content
        } else {
            return nil
        }
        var stemEnd = end
        while let marker = Self.takeSuffix(bytes, from: name.lowerBound, &end), Self.markers.contains(marker) {
            isChunk = isChunk || marker == Self.chunk
            stemEnd = end
        }
        stem = name.lowerBound..<stemEnd
    }

    /// Removes the last `.suffix`; `nil` if there is none.
    private static func takeSuffix(
        _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, _ end: inout Int
    ) -> String? {
        var index = end - 1
        while index > start, bytes[index] != UInt8(ascii: ".") { index -= 1 }
        guard index > start else { return nil }
        defer { end = index }
        return bytes.word(in: index + 1..<end)
    }

    private static let encodings: Set = ["gz", "br", "zst"]
    private static let code: Set = [
        "js", "css", "mjs", "map", "woff2", "woff", "ttf", "otf", "eot", "wasm", "cjs", "jsx",
    ]
    private static let content: Set = [
        "png", "svg", "jpg", "jpeg", "webp", "gif", "avif", "ico", "json", "mp4", "webm", "mp3", "ogg", "wav", "m4a",
        "geojson", "glb", "gltf", "onnx", "bin", "webmanifest", "jxl", "bmp", "cur",
    ]
    private static let chunk = "chunk"
    private static let markers: Set = [
        "min", chunk, "js", "css", "mjs", "entry", "bundle", "worker", "async", "lean", "module", "esm", "umd", "prod",
        "digested", "iframe",
    ]
}

/// The octets of a request's path and query, and the ranges of their parts.
struct PathAndQuery {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// The octets before the last segment, including their last slash.
    private let folders: Range<Int>
    /// The last segment.
    private let fileName: Range<Int>
    /// The query without its question mark; empty if there is none.
    private let query: Range<Int>

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        var pathEnd = bytes.count
        var end = bytes.count
        var lastSlash = -1
        var index = 0
        scan: while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "#"):
                pathEnd = min(pathEnd, index)
                end = index
                break scan
            case UInt8(ascii: "?"): pathEnd = min(pathEnd, index)
            case UInt8(ascii: "/") where pathEnd == bytes.count: lastSlash = index
            default: break
            }
            index += 1
        }
        folders = 0..<lastSlash + 1
        fileName = lastSlash + 1..<pathEnd
        query = min(pathEnd + 1, end)..<end
    }

    func hash(orInQueryItems names: [String]) -> Range<Int>? {
        guard let file = StaticFileName(bytes, in: fileName) else { return nil }
        let folders = AssetFolders(bytes, in: folders)
        guard folders.admit(file.kind) else { return nil }
        if let found = HashSlot(bytes, file: file, folders: folders).hash() { return found }
        return names.isEmpty ? nil : hash(inQueryItems: names)
    }

    private func hash(inQueryItems names: [String]) -> Range<Int>? {
        var rest = query
        while !rest.isEmpty {
            let end = bytes[rest].firstIndex(of: UInt8(ascii: "&")) ?? rest.upperBound
            let item = rest.lowerBound..<end
            rest = min(end + 1, rest.upperBound)..<rest.upperBound
            guard let equals = bytes[item].firstIndex(of: UInt8(ascii: "=")) else { continue }
            let value = equals + 1..<end
            guard names.contains(where: { $0.utf8.elementsEqual(bytes[item.lowerBound..<equals]) }) else { continue }
            if HashSlot.isHash(queryValue: value, in: bytes) { return value }
        }
        return nil
    }
}

/// Folders that tell what the files in them are.
struct AssetFolders {
    /// A framework that keeps its build in a folder of a reserved name.
    enum Framework {
        case next, nuxt, svelteKit
    }

    private(set) var framework: Framework?
    /// Whether the name of one folder says that it holds build output.
    private(set) var holdAssets = false
    private var holdIdentifiers = false
    private var holdUploads = false

    init(_ bytes: UnsafeBufferPointer<UInt8>, in range: Range<Int>) {
        var previous: String?
        var start = range.lowerBound
        for index in range where bytes[index] == UInt8(ascii: "/") {
            let word = bytes.word(in: start..<index)
            add(word, after: previous)
            previous = word
            start = index + 1
        }
    }

    /// Whether a file of this kind may have a hashed name here.
    func admit(_ kind: StaticFileName.Kind) -> Bool {
        if holdIdentifiers { return false }
        return kind == .code || holdAssets && !holdUploads
    }

    private mutating func add(_ word: String, after previous: String?) {
        if Self.identifiers.contains(word) {
            holdIdentifiers = true
        } else if Self.uploads.contains(word) {
            holdUploads = true
        } else if Self.assets.contains(word) {
            holdAssets = true
            if word == Self.nuxt { framework = .nuxt }
            if word == Self.static, previous == Self.next { framework = .next }
            if word == Self.immutable, previous == Self.app { framework = .svelteKit }
        }
    }

    private static let identifiers: Set = ["api", "graphql", "rpc"]
    private static let uploads: Set = [
        "upload", "uploads", "avatar", "avatars", "gravatar", "user", "users", "userfiles", "attachment",
        "attachments",
    ]
    private static let `static` = "static"
    private static let next = "_next"
    private static let nuxt = "_nuxt"
    private static let app = "_app"
    private static let immutable = "immutable"
    private static let assets: Set = [
        `static`, "assets", nuxt, immutable, "dist", "build", "js", "css", "img", "fonts", "_astro", "asset", "packs",
        "chunks", "bundles", "scripts", "styles", "javascripts", "stylesheets", "_assets", "wwwroot", "_framework",
    ]
}
