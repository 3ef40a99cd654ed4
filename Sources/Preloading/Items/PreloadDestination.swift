import CacheRules
import Fetching

/// The use that a page will make of an item, which decides the fields of its request; the `as` of a preload link.
package enum PreloadDestination: String, Hashable, Sendable, CaseIterable {
    case document, iframe, style, script, module, worker, font, image, fetch, audio, video, track, manifest
    case sharedWorker = "sharedworker"
    case serviceWorker = "serviceworker"

    /// The destination in the sense of the Fetch standard, which knows no modules.
    package var destination: Destination {
        switch self {
        case .module, .script: .script
        case .fetch: .fetch
        default: Destination(rawValue: rawValue) ?? .unknown
        }
    }

    /// A guess by the extension of a path, for lists that don't say; none and an unknown one are a document.
    package init(guessedFromPath path: String) {
        let file = path.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last ?? ""
        let name = file.split(separator: ".").dropFirst().last?.lowercased() ?? ""
        switch name {
        case "js": self = .script
        case "mjs": self = .module
        case "css": self = .style
        case "woff", "woff2", "ttf", "otf": self = .font
        case "png", "jpg", "jpeg", "gif", "webp", "avif", "svg", "ico", "heic", "jxl", "bmp": self = .image
        case "json", "wasm", "txt", "xml": self = .fetch
        case "mp4", "webm", "mov", "m4v": self = .video
        case "mp3", "m4a", "ogg", "wav", "aac", "flac": self = .audio
        case "vtt": self = .track
        case "webmanifest": self = .manifest
        default: self = .document
        }
    }

    /// The mode of the request, Fetch §2.2.5. WebKit loads fonts without CORS, and other engines with it.
    var mode: FetchRequest.Mode {
        switch self {
        case .document, .iframe: .navigate
        case .module, .fetch, .manifest: .cors
        case .worker, .sharedWorker, .serviceWorker: .sameOrigin
        case .style, .script, .font, .image, .audio, .video, .track: .noCORS
        }
    }

    /// Whether a page asks for parts of it, uncoded.
    var isMedia: Bool { self == .audio || self == .video }

    /// Whether pages run it or look by it.
    var isCode: Bool { [.style, .script, .module, .worker, .sharedWorker, .serviceWorker].contains(self) }

    /// Whether an HTML page in its place is an error that the server calls a success.
    var isNeverHTML: Bool { ![.document, .iframe, .fetch].contains(self) }
}
