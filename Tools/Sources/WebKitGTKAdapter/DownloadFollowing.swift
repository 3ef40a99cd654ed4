import CWebKitGTK
import Fetching
import Foundation
import WebVisit

/// One download on its way to a file.
@MainActor
final class DownloadFollowing {
    typealias Download = UnsafeMutablePointer<WebKitDownload>
    private typealias NameAsked = @convention(c) (Download?, UnsafeMutablePointer<CChar>?, gpointer?) -> gboolean
    private typealias Failed = @convention(c) (Download?, UnsafeMutablePointer<GError>?, gpointer?) -> Void
    private typealias Finished = @convention(c) (Download?, gpointer?) -> Void

    private let download: Download
    private let folder: DownloadFolder
    private let notice: (SessionNotice) -> Void
    private var path: String?
    private var failure: String?
    /// Until the download has ended, nobody else holds this.
    private var itself: DownloadFollowing?

    init(_ download: Download, folder: DownloadFolder, notice: @escaping (SessionNotice) -> Void) {
        self.download = download
        self.folder = folder
        self.notice = notice
    }

    func begin() {
        itself = self
        g_object_ref(download)
        let named: NameAsked = { _, name, data in
            // Unchecked because GLib calls on the main thread only.
            nonisolated(unsafe) let name = name
            return CallbackOwner(data)(DownloadFollowing.self, otherwise: 0) { $0.choose(String(copying: name) ?? "") }
        }
        connect(download, "decide-destination", to: self, named)
        let failed: Failed = { _, error, data in
            let message = String(copying: error?.pointee.message) ?? "No reason was given."
            CallbackOwner(data)(DownloadFollowing.self, otherwise: ()) { $0.failure = message }
        }
        connect(download, "failed", to: self, failed)
        let finished: Finished = { _, data in
            CallbackOwner(data)(DownloadFollowing.self, otherwise: ()) { $0.end() }
        }
        connect(download, "finished", to: self, finished)
    }

    /// The name is the server's; only its last component counts.
    private func choose(_ suggested: String) -> gboolean {
        let path = folder.freePath(DownloadName.harmless(suggested) ?? "download")
        self.path = path
        let uri = URL(fileURLWithPath: path).absoluteString
        webkit_download_set_destination(download, uri)
        return 1
    }

    private func end() {
        let url = String(copying: webkit_uri_request_get_uri(webkit_download_get_request(download))) ?? ""
        let bytes = Int(webkit_download_get_received_data_length(download))
        notice(.download(url: url, path: failure == nil ? path : nil, bytes: bytes, reason: failure))
        g_object_unref(download)
        itself = nil
    }
}
