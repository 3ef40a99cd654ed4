import CacheEngine

/// The content of a page's request.
package enum RequestContent: Sendable {
    case bytes([UInt8])
    /// Comes in pieces.
    case upload(PageUpload)
    /// Has come before.
    case form(HeldForm)

    /// To be sent, from its beginning.
    var body: RequestBody {
        switch self {
        case .bytes(let bytes): RequestBody(ResponseBody.bytes(bytes).makeSource(), length: Int64(bytes.count))
        case .upload(let upload): RequestBody(upload.makeSource(), length: upload.length)
        case .form(let form): RequestBody(form.makeSource(), length: form.length)
        }
    }

    /// Whether ``body`` can be had once more.
    var isReplayable: Bool {
        switch self {
        case .bytes, .form: true
        case .upload(let upload): upload.isKept
        }
    }

    /// The content that the next document's request carries, when this one's page may be gone.
    var forNextDocument: RequestContent {
        guard case .upload(let upload) = self, let bytes = upload.wholeContent else { return self }
        return .bytes(bytes)
    }
}
