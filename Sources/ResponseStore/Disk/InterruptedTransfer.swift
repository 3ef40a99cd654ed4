import Foundation
import HTTPCacheSemantics
import HTTPTypes

/// A response whose content was on its way when its process was killed, as a file beside that content tells it.
///
/// A cut connection, a cancel or SIGTERM leaves time to store a beginning; a kill does not, and systems kill apps in
/// the background. The file is written once, after ``leastLength``, and goes when the content is stored or given up.
///
///     name of the system's run (a piece), identity of the file `changes` (8, 8), number of the mark (8),
///     EntryHead with its checksum
///
/// Octets that were written count while the system runs: after a loss of power neither the content nor ``ChangeLog`` is
/// known to be whole.
struct InterruptedTransfer: Equatable {
    /// The bytes after which a transfer is noted; a shorter one begins anew.
    static let leastLength: Int64 = 1_048_576

    var key: CacheKey
    /// Its extent begins with the first byte of the content in the file, which may be longer by now.
    var response: StoredResponse
    /// When the request left.
    var mark: StoreMark

    private static func place(_ layout: StoreLayout) -> [UInt8]? {
        guard let run = SystemCalls.systemRun, let identity = SystemCalls.identity(layout.changes) else { return nil }
        var bytes: [UInt8] = []
        bytes.append(piece: run.utf8)
        for number in identity { bytes.append(number: number) }
        return bytes
    }

    /// - Parameter length: The bytes of content so far.
    /// - Returns: `nil` where nobody could tell later whether the content is still the same.
    func block(_ length: Int64, in layout: StoreLayout) -> [UInt8]? {
        guard var bytes = Self.place(layout) else { return nil }
        let body = BodyDescription(digest: BodyDigest(hash: [UInt8]()), length: ByteCount(length), checksums: [])
        bytes.append(number: mark.number)
        return bytes + EntryHead(key: key, response: response, body: body).stored
    }

    init(key: CacheKey, response: StoredResponse, mark: StoreMark) {
        (self.key, self.response, self.mark) = (key, response, mark)
    }

    /// - Parameter opening: This process's opening of the log.
    /// - Returns: `nil` if the bytes are damaged, or from another run of the system.
    init?(_ bytes: [UInt8], in layout: StoreLayout, opening: UInt64) {
        guard let place = Self.place(layout), bytes.starts(with: place) else { return nil }
        let found = bytes.withUnsafeBytes { block -> (UInt64, EntryHead)? in
            var reader = BlockReader(block)
            guard reader.piece(place.count) != nil, let number = reader.number(UInt64.self),
                let head = reader.piece(block.count - reader.position).flatMap({ EntryHead(stored: $0) })
            else { return nil }
            return (number, head)
        }
        guard let (number, head) = found, case .partial = head.response.extent else { return nil }
        self.init(key: head.key, response: head.response, mark: StoreMark(number: number, opening: opening))
    }
}

extension StoreLayout {
    /// The file that describes a body in transfer.
    static func note(of body: String) -> String { body + ".head" }

    /// The bodies in transfer that killed processes left with a note.
    var interruptedBodies: [String] {
        let names = Set(fileSystem.names(in: incoming))
        return names.filter { names.contains(Self.note(of: $0)) && !Self.mayLive($0) }.sorted()
    }
}

extension DiskResponseStore {
    /// Stores the beginnings that killed processes left, so that what continues them asks for the rest alone.
    ///
    /// The work is done at opening and at each maintenance; every call returns when it is over. What can't be stored is
    /// removed.
    package func recoverInterrupted() async {
        if isReadOnly { return }
        let task = recovery.withLock { known -> Task<Void, Never> in
            if let known { return known }
            let task = Task {
                for name in self.layout.interruptedBodies { try? await self.recover(name) }
            }
            known = task
            return task
        }
        await task.value
    }

    private func recover(_ name: String) async throws {
        let (left, path) = (layout.incoming + "/" + name, layout.incomingBody())
        // One process gets it.
        try fileSystem.rename(left, to: path)
        let note = StoreLayout.note(of: left)
        let bytes = try? fileSystem.contents(of: note, limit: EntryHead.limit + 4_096)
        try? fileSystem.unlink(note)
        let body = pendingBody(at: path)
        // Another thread may hold it a moment longer.
        defer { body.giveUp() }
        let length = try await Self.blocking { try body.adopt() }
        guard let opening = log.mark()?.opening,
            let found = bytes.flatMap({ InterruptedTransfer($0, in: layout, opening: opening) }),
            case .partial(let parts, let completeLength) = found.response.extent, let start = parts.first?.lowerBound,
            length > 0, start <= Int64.max - length, start + length < completeLength ?? .max
        else { return }
        try await keep(body, found, start..<start + length, completeLength)
    }

    /// Stores a beginning, or joins a part with what it continues (RFC 9111 §3.4).
    private func keep(
        _ body: PendingDiskBody, _ found: InterruptedTransfer, _ part: Range<Int64>, _ completeLength: Int64?
    ) async throws {
        let variants = try await entries(for: found.key)
        guard let known = variants.first(where: { $0.response.nominatedFields == found.response.nominatedFields })
        else {
            var response = found.response
            response.extent = .partial([part], completeLength: completeLength)
            _ = try await commit(body, key: found.key, response: response, since: found.mark)
            return
        }
        // A part never replaces a whole.
        guard Combination.isAllowed(known.response.fields, with: found.response.fields),
            let joined = Combination(known.response.extent, with: part, completeLength: completeLength),
            joined.shared.isEmpty, joined.extent != .complete
        else { return }
        var response = known.response
        response.extent = joined.extent
        _ = try await extend(known, with: body, by: joined, response: response, since: found.mark)
    }
}
