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
        var previous: ShortWord?
        var start = range.lowerBound
        for index in range where bytes[index] == UInt8(ascii: "/") {
            let word = ShortWord(bytes, in: start..<index)
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

    private mutating func add(_ word: ShortWord, after previous: ShortWord?) {
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

    private static let identifiers: [ShortWord] = ["api", "graphql", "rpc"]
    private static let uploads: [ShortWord] = [
        "upload", "uploads", "avatar", "avatars", "gravatar", "user", "users", "userfiles", "attachment",
        "attachments",
    ]
    private static let `static`: ShortWord = "static"
    private static let next: ShortWord = "_next"
    private static let nuxt: ShortWord = "_nuxt"
    private static let app: ShortWord = "_app"
    private static let immutable: ShortWord = "immutable"
    private static let assets: [ShortWord] = [
        `static`, "assets", nuxt, immutable, "dist", "build", "js", "css", "img", "fonts", "_astro", "asset", "packs",
        "chunks", "bundles", "scripts", "styles", "javascripts", "stylesheets", "_assets", "wwwroot", "_framework",
    ]
}
