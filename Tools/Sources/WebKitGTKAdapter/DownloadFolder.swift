import Fetching
import Foundation

/// The folder for downloads. No download replaces a file.
struct DownloadFolder {
    let path: String

    /// The path for a name that is free now: the name itself, or with the first number that makes it so.
    func freePath(_ name: String) -> String {
        var candidate = path + "/" + name
        var number = 2
        while FileManager.default.fileExists(atPath: candidate) {
            candidate = path + "/" + DownloadName.numbered(name, number)
            number += 1
        }
        return candidate
    }

    /// Makes an empty file under a free path.
    func makeFile(_ name: String) throws -> (FileHandle, String) {
        let path = freePath(name)
        // Fails where somebody was quicker; a link is not followed.
        try Data().write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
        return (try FileHandle(forWritingTo: URL(fileURLWithPath: path)), path)
    }
}
