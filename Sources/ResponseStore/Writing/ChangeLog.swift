import HTTPCacheSemantics
import Locking

/// The last changes of a store, by key, for all processes that have it open: the file `changes`.
///
/// A response whose request left before its key was invalidated must not be stored after that (RFC 9111 §4.4). The
/// index can't tell: the invalidation of a key without stored responses leaves no trace there. So each change is noted
/// here, in the transaction that makes it. The lock of the index is the lock of this file, and a transaction that
/// writes nothing else needs no sync: after a loss of power no request is in flight.
///
///     count (8)          changes noted so far, little-endian; an empty file is one without changes
///     zeros (8)
///     record (16)        the change with the number n is record n % 65,536: the kind in the first byte, then
///                        15 bytes of the SHA-256 of partition (see StoredPartition), NUL and URI
///
/// An invalidation is noted without a site, and counts for all sites. One may be of an origin, or of a URI in every
/// account, see ``CacheKey/invalidations``.
///
/// A count that has grown by more than the number of records makes every key count as invalidated. ``forgetAll()`` does
/// that on purpose, and drops the records, so that removed keys leave no trace.
final class ChangeLog: Sendable {
    private struct State {
        var descriptor: Int32?
        /// The identity of the open file.
        var identity: [UInt64]?
        /// Grows when earlier changes become unknown.
        var opening: UInt64 = 0
    }

    static let records: UInt64 = 65_536
    private static let headerLength: UInt64 = 16
    private static let recordLength = 16

    private let path: String
    private let fileSystem: any FileSystem
    private let state = LockedBox(State())

    init(_ layout: StoreLayout) {
        (path, fileSystem) = (layout.changes, layout.fileSystem)
    }

    deinit {
        if let descriptor = state.withLock({ $0.descriptor }) { fileSystem.close(descriptor) }
    }

    /// A mark of this moment. Never waits for a transaction.
    ///
    /// - Returns: `nil` if the log can't be read, as in a store that can't be written.
    func mark() -> StoreMark? {
        guard let (descriptor, opening) = opened(), let count = try? count(descriptor) else { return nil }
        return StoreMark(number: count, opening: opening)
    }

    /// Notes a change. Call it inside the transaction that makes it.
    func note(_ change: KeyChange, _ key: CacheKey) {
        update { descriptor in
            let count = try count(descriptor)
            let noted = change == .invalidated ? key.withoutSite : key
            try fileSystem.write(
                [change.rawValue] + noted.digest(length: Self.recordLength - 1), to: descriptor, at: Self.place(count))
            try write(count &+ 1, to: descriptor)
        }
    }

    /// Makes every key count as invalidated, and drops the records.
    func forgetAll() {
        update { descriptor in
            try write(try count(descriptor) &+ Self.records &+ 1, to: descriptor)
            let size = try fileSystem.size(descriptor)
            let zeros = [UInt8](repeating: 0, count: Int(clamping: max(0, size - Int64(Self.headerLength))))
            try fileSystem.write(zeros, to: descriptor, at: Int64(Self.headerLength))
        }
    }

    /// The changes to a key since a mark. Inside a transaction no change happens meanwhile.
    func history(of key: CacheKey, since mark: StoreMark) -> KeyHistory {
        let unknown = KeyHistory(isInvalidated: true)
        guard let (descriptor, opening) = opened(), opening == mark.opening, let count = try? count(descriptor) else {
            return unknown
        }
        let passed = count &- mark.number
        guard passed <= Self.records else { return unknown }
        var history = KeyHistory()
        guard passed > 0 else { return history }
        let digest = key.digest(length: Self.recordLength - 1)
        let invalidations = key.invalidations.map { $0.digest(length: Self.recordLength - 1) }
        var number = mark.number
        while number != count {
            let until = min(count &- number, Self.records - number % Self.records)
            guard
                let bytes = try? fileSystem.read(
                    descriptor, at: Self.place(number), upTo: Int(until) * Self.recordLength),
                bytes.count == Int(until) * Self.recordLength
            else { return unknown }
            for start in stride(from: 0, to: bytes.count, by: Self.recordLength) {
                guard let change = KeyChange(rawValue: bytes[start]) else { continue }
                let noted = bytes[start + 1..<start + Self.recordLength]
                let isMeant = change == .invalidated ? invalidations.contains(noted) : noted == digest
                if isMeant { history.add(change) }
            }
            number &+= until
        }
        return history
    }

    /// Opens the file that is in the directory now; earlier marks become invalid.
    func reopen() {
        let former = state.withLock { state -> Int32? in
            defer { state = State(opening: state.opening &+ 1) }
            return state.descriptor
        }
        if let former { fileSystem.close(former) }
    }

    /// Whether the open file is the one in the directory.
    var isInPlace: Bool {
        state.withLock { $0.descriptor == nil || $0.identity == SystemCalls.identity(path) && $0.identity != nil }
    }

    // MARK: The file

    private func update(_ work: (_ descriptor: Int32) throws -> Void) {
        do {
            guard let (descriptor, _) = opened() else { throw FileSystemError(call: "open", number: 0) }
            try work(descriptor)
        } catch {
            // The change could not be noted, so no response that is in flight is stored.
            state.withLock { $0.opening &+= 1 }
        }
    }

    private func opened() -> (descriptor: Int32, opening: UInt64)? {
        state.withLock { state in
            if let known = state.descriptor { return (known, state.opening) }
            guard let descriptor = open() else { return nil }
            (state.descriptor, state.identity) = (descriptor, SystemCalls.identity(path))
            return (descriptor, state.opening)
        }
    }

    private func open() -> Int32? {
        if let known = try? fileSystem.open(path, .writing) { return known }
        if let made = try? fileSystem.open(path, .creating) { return made }
        // Another process may have made it in between.
        return try? fileSystem.open(path, .writing)
    }

    private func count(_ descriptor: Int32) throws(FileSystemError) -> UInt64 {
        let bytes = try fileSystem.read(descriptor, at: 0, upTo: 8)
        return bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func write(_ count: UInt64, to descriptor: Int32) throws(FileSystemError) {
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: count >> (8 * UInt64($0))) }
        try fileSystem.write(bytes, to: descriptor, at: 0)
    }

    private static func place(_ number: UInt64) -> Int64 {
        Int64(headerLength + number % records * UInt64(recordLength))
    }
}
