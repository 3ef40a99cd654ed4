import Crypto
import HTTPCacheSemantics

/// Digests an upload while it arrives: the bytes of the first file in `multipart/form-data` (RFC 7578), or of any other
/// body as a whole. Holds no more than a part's fields or a delimiter's length.
struct UploadDigest {
    /// A report of the upload that arrived.
    struct Report: Hashable {
        /// Parts of the form; zero for a body that is none.
        var parts: Int
        /// Length of the file.
        var bytes: Int
        /// SHA-256 of the file.
        var sha256: String
    }

    private enum Stage {
        case raw, preamble, afterDelimiter, fields
        case contents(isFile: Bool)
        case epilogue, malformed
    }

    private static let fieldLimit = 16_384
    private var stage: Stage
    private var pending: [UInt8] = []
    private var search: ByteSearch
    private var digest = SHA256()
    private var bytes = 0
    private var parts = 0
    private var hasFile = false

    /// Prepares for a body.
    ///
    /// - Parameter contentType: The request's `Content-Type`.
    init(contentType: String?) {
        guard let contentType, contentType.lowercased().hasPrefix("multipart/form-data"),
            let start = contentType.firstRange(of: "boundary=")?.upperBound
        else {
            stage = .raw
            search = ByteSearch([])
            return
        }
        let boundary = contentType[start...].prefix { $0 != ";" }.filter { $0 != "\"" }
        search = ByteSearch(Array("\r\n--\(boundary)".utf8))
        pending = [13, 10]  // so that the first delimiter looks like every other
        stage = .preamble
    }

    /// Takes the next bytes.
    mutating func update(_ more: some Collection<UInt8>) {
        if case .raw = stage { return hash(Array(more)) }
        pending += more
        while step() {}
    }

    /// The result; `nil` when the form did not end as it should.
    mutating func finish() -> Report? {
        switch stage {
        case .raw, .epilogue:
            Report(parts: parts, bytes: bytes, sha256: Hexadecimal.text(digest.finalize()))
        default: nil
        }
    }

    private mutating func hash(_ run: [UInt8]) {
        bytes += run.count
        digest.update(data: run)
    }

    /// Moves on by one step; `false` when more bytes are needed.
    private mutating func step() -> Bool {
        switch stage {
        case .raw, .epilogue, .malformed:
            pending.removeAll()
            return false
        case .preamble: return skipToDelimiter(isFile: false)
        case .contents(let isFile): return skipToDelimiter(isFile: isFile)
        case .afterDelimiter:
            guard pending.count >= 2 else { return false }
            if pending.starts(with: [45, 45]) { stage = .epilogue } else { stage = .fields }
            return true
        case .fields: return readFields()
        }
    }

    private mutating func skipToDelimiter(isFile: Bool) -> Bool {
        let found = search.first(in: pending)
        // A delimiter may have begun in the last bytes.
        let end = found ?? max(0, pending.count - search.pattern.count + 1)
        if isFile { hash(Array(pending[..<end])) }
        guard found != nil else {
            pending.removeFirst(end)
            return false
        }
        pending.removeFirst(end + search.pattern.count)
        stage = .afterDelimiter
        return true
    }

    private mutating func readFields() -> Bool {
        let end = ByteSearch([13, 10, 13, 10]).first(in: pending)
        guard let end, end < Self.fieldLimit else {
            if end != nil || pending.count > Self.fieldLimit { stage = .malformed }
            return end != nil
        }
        let fields = String(decoding: pending[..<end], as: UTF8.self)
        pending.removeFirst(end + 4)
        parts += 1
        let isFile = !hasFile && fields.contains("filename=")
        hasFile = hasFile || isFile
        stage = .contents(isFile: isFile)
        return true
    }
}
