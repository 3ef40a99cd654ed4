import CacheEngine
import Locking

/// Limits the memory of a web view's uploads, all together: a page can begin a thousand.
final class UploadMemory: Sendable {
    /// A share of it, given back when nobody holds this any more.
    final class Share: Sendable {
        private let memory: UploadMemory
        private let bytes: Int64

        fileprivate init(_ memory: UploadMemory, _ bytes: Int64) {
            (self.memory, self.bytes) = (memory, bytes)
        }

        deinit { memory.left.withLock { $0 += bytes } }
    }

    private let left: LockedBox<Int64>

    /// - Parameter bytes: How much there is.
    init(_ bytes: Int64) { left = LockedBox(bytes) }

    /// - Returns: `nil` where there is not enough.
    func share(_ bytes: Int64) -> Share? {
        let isThere = left.withLock { left -> Bool in
            guard bytes >= 0, bytes <= left else { return false }
            left -= bytes
            return true
        }
        return isThere ? Share(self, bytes) : nil
    }
}

/// Where the content of a long form waits until all of it is there, such as a temporary file without a name.
///
/// The space is freed with the last reference. It is called from any thread, by one caller at a time while it is
/// written.
package protocol UploadSpace: Sendable {
    /// - Throws: Where there is no more room; the form is refused then.
    func append(_ bytes: [UInt8]) throws

    /// - Parameters:
    ///   - offset: In bytes, from the beginning.
    ///   - count: In bytes; so many have been appended behind `offset`.
    func read(at offset: Int64, count: Int) throws -> [UInt8]
}

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

/// Content that nobody reads, such as that of a redirect. Read to its end all the same, as the cache stores no response
/// that was given up; and it frees its connection for the next request.
final class UnreadContent: Sendable {
    /// Origins that never end their content must not keep ever more connections.
    private static let greatestCount = 32

    private let count = LockedBox(0)

    /// Returns at once.
    func finish(_ body: ResponseBody) {
        guard case .stream(let source, let length) = body else { return }
        let isBegun = count.withLock { count in
            guard count < Self.greatestCount, length ?? 0 <= Int64(ResponseBody.greatestUnread) else { return false }
            count += 1
            return true
        }
        guard isBegun else { return source.cancel() }
        Task {
            await body.finishUnread()
            self.count.withLock { $0 -= 1 }
        }
    }
}
