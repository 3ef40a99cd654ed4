import ResponseStore

/// A pending body that accepts a limited number of bytes, like one on a full disk.
final class FaultyPendingBody: PendingBody {
    let base: any PendingBody
    private let limit: Int64
    private let length = WatchedValue<Int64>(0)

    init(_ base: any PendingBody, limit: Int64) {
        self.base = base
        self.limit = limit
    }

    func append(_ bytes: [UInt8]) throws {
        guard length.value <= limit - Int64(bytes.count) else {
            length.update { $0 = .max }
            throw StoreError(code: .writeFailed, message: "The test made the disk full.")
        }
        try base.append(bytes)
        length.update { $0 += Int64(bytes.count) }
    }

    func read(from offset: Int64, upTo count: Int) throws -> [UInt8] {
        try base.read(from: offset, upTo: count)
    }
}
