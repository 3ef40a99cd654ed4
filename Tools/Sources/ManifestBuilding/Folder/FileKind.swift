import Foundation
import Manifests

/// The use of a file, by its name alone.
struct FileKind {
    var use: ListedFile.Use
    var mediaType: String?

    /// - Parameter scripts: The use of files in `.js`.
    init(_ path: String, scripts: ListedFile.Use) {
        let suffix = (path as NSString).pathExtension.lowercased()
        if suffix == "js" {
            (use, mediaType) = (scripts, "text/javascript")
        } else {
            (use, mediaType) = Self.known[suffix] ?? (.fetch, nil)
        }
    }

    private static let known: [String: (ListedFile.Use, String?)] = [
        "mjs": (.module, "text/javascript"), "css": (.style, "text/css"), "html": (.document, "text/html"),
        "htm": (.document, "text/html"), "woff2": (.font, "font/woff2"), "woff": (.font, "font/woff"),
        "ttf": (.font, "font/ttf"), "otf": (.font, "font/otf"), "eot": (.font, "application/vnd.ms-fontobject"),
        "svg": (.image, "image/svg+xml"), "png": (.image, "image/png"), "jpg": (.image, "image/jpeg"),
        "jpeg": (.image, "image/jpeg"), "gif": (.image, "image/gif"), "webp": (.image, "image/webp"),
        "avif": (.image, "image/avif"), "ico": (.image, "image/vnd.microsoft.icon"), "bmp": (.image, "image/bmp"),
        "mp3": (.audio, "audio/mpeg"), "ogg": (.audio, "audio/ogg"), "wav": (.audio, "audio/wav"),
        "m4a": (.audio, "audio/mp4"), "mp4": (.video, "video/mp4"), "webm": (.video, "video/webm"),
        "mov": (.video, "video/quicktime"), "vtt": (.track, "text/vtt"), "json": (.fetch, "application/json"),
        "wasm": (.fetch, "application/wasm"), "txt": (.fetch, "text/plain"), "xml": (.fetch, "application/xml"),
        "pdf": (.fetch, "application/pdf"), "webmanifest": (.manifest, "application/manifest+json"),
    ]
}
