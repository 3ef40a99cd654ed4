import Fetching
import Foundation
import HTTPTypes
import SchemeTasks
import WebVisit

/// A download whose URL belongs to a scheme handler, written to a file.
///
/// WebKitGTK's own downloads know no scheme handlers: they would go past the store, or fail.
@MainActor
final class HandledDownload: SchemeTask {
    private let url: String
    private let folder: DownloadFolder
    private let notice: (SessionNotice) -> Void
    private var file: (handle: FileHandle, path: String)?
    private var bytes = 0
    private var failure: String?

    init(_ url: String, folder: DownloadFolder, notice: @escaping (SessionNotice) -> Void) {
        self.url = url
        self.folder = folder
        self.notice = notice
    }

    func receive(_ head: HTTPResponse) {
        do {
            file = try folder.makeFile(DownloadName.suggested(by: head.headerFields, url: url))
        } catch {
            failure = "The file can't be made: \(error.localizedDescription)"
        }
    }

    func receive(_ piece: [UInt8]) -> LoadDemand {
        guard failure == nil else { return .more }
        do {
            try file?.handle.write(contentsOf: piece)
            bytes += piece.count
        } catch {
            failure = "The file can't be written: \(error.localizedDescription)"
        }
        return .more
    }

    func finish() { end(failure) }

    func fail(_ error: SchemeTaskError) { end(failure ?? error.message) }

    /// A file that is not whole is removed.
    private func end(_ failure: String?) {
        var failure = failure
        do {
            try file?.handle.close()
        } catch {
            failure = failure ?? "The file can't be written: \(error.localizedDescription)"
        }
        if failure != nil, let file { try? FileManager.default.removeItem(atPath: file.path) }
        notice(.download(url: url, path: failure == nil ? file?.path : nil, bytes: bytes, reason: failure))
    }
}
