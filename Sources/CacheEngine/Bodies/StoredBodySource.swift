import Locking
import ResponseStore

/// Reads a stored body, or a region of it, piece by piece.
final class StoredBodySource: BodySource {
    private static let pieceSize = 65_536
    private let content: StoredContent
    private let rest: LockedBox<Range<Int64>>

    init(_ content: StoredContent, region: Range<Int64>) {
        self.content = content
        rest = LockedBox(region)
    }

    func next() throws -> [UInt8]? {
        let region = rest.withLock { rest -> Range<Int64> in
            let end = min(rest.upperBound, rest.lowerBound + Int64(Self.pieceSize))
            defer { rest = end..<rest.upperBound }
            return rest.lowerBound..<end
        }
        guard !region.isEmpty else { return nil }
        switch content {
        case .bytes(let bytes):
            return Array(bytes[Int(region.lowerBound)..<Int(region.upperBound)])
        case .file(let file):
            let piece = try file.read(from: region.lowerBound, upTo: region.count)
            guard piece.count == region.count else {
                throw StoreError(code: .corruptEntry, message: "A stored body is shorter than its entry says.")
            }
            return piece
        }
    }

    func cancel() {
        rest.withLock { $0 = $0.upperBound..<$0.upperBound }
    }
}
