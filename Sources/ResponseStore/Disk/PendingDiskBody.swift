import HTTPCacheSemantics
import Locking

/// A body that is received in memory while it is small, and in a file of `incoming/` after that.
final class PendingDiskBody: PendingBody {
    private struct State {
        var hasher = SHA256Hasher()
        var checksums = RunningChecksums()
        var length: Int64 = 0
        /// The whole content until a file is needed.
        var memory: [UInt8] = []
        var file: BodyFile?
        /// Whether there is a file at `path` that this object has to remove.
        var wasMade = false
        var hasFailed = false
        var isFinished = false
        var wasMoved = false
        /// The bytes that it has of the store's ``IncomingSpace``.
        var taken: Int64 = 0
        /// Describes the response whose content this is, by the length so far, until that is noted.
        var origin: (@Sendable (Int64) -> InterruptedTransfer?)?
        /// Whether there is a note of it beside the file.
        var isNoted = false
    }

    let path: String
    private let memoryLimit: Int
    private let fileSystem: any FileSystem
    private let space: IncomingSpace
    private let encoded: @Sendable (InterruptedTransfer, Int64) -> [UInt8]?
    private let state = LockedBox(State())

    /// - Parameters:
    ///   - space: The room for content on its way; this takes some from the first byte on.
    ///   - memoryLimit: The most bytes that are kept in memory.
    ///   - encoded: Encodes the note of a transfer with so many bytes.
    init(
        path: String, fileSystem: any FileSystem, space: IncomingSpace, memoryLimit: Int = BodyDescription.rowLimit,
        encoded: @escaping @Sendable (InterruptedTransfer, Int64) -> [UInt8]? = { _, _ in nil }
    ) {
        (self.path, self.fileSystem, self.space, self.memoryLimit) = (path, fileSystem, space, memoryLimit)
        self.encoded = encoded
    }

    deinit { giveUp() }

    /// Removes what was received, unless it is stored, and gives its room back.
    func giveUp() {
        let (isLeftBehind, taken) = state.withLock { state -> (Bool, Int64) in
            let found = (state.wasMade && !state.wasMoved, state.taken)
            // The disk has the room again once the file is closed.
            (state.file, state.memory, state.wasMade, state.taken) = (nil, [], state.wasMoved, 0)
            if !state.isFinished { state.hasFailed = true }
            return found
        }
        space.giveBack(taken)
        if isLeftBehind { try? fileSystem.unlink(path) }
        forgetNote()
    }

    private func forgetNote() {
        let wasNoted = state.withLock { state in
            defer { state.isNoted = false }
            return state.isNoted
        }
        if wasNoted { try? fileSystem.unlink(StoreLayout.note(of: path)) }
    }

    /// - Throws: ``StoreError/Code/writeFailed``; nothing more is taken then.
    func append(_ bytes: [UInt8]) throws {
        do {
            try take(Int64(bytes.count))
            try write(bytes)
        } catch {
            state.withLock { $0.hasFailed = true }
            throw error
        }
    }

    private func take(_ count: Int64) throws {
        try space.take(count, beside: state.withLock { $0.taken })
        state.withLock { $0.taken += count }
    }

    private func write(_ bytes: [UInt8]) throws {
        // One writer appends, and readers only read below `length`, so the disk is written without the lock.
        let (known, memory, offset) = try state.withLock { state -> (BodyFile?, [UInt8]?, Int64) in
            if state.hasFailed { throw StoreError(code: .writeFailed, message: "An earlier write failed.") }
            if state.isFinished {
                throw StoreError(code: .writeFailed, message: "The response was stored before all of it had come.")
            }
            state.hasher.update(bytes)
            if state.file == nil, state.memory.count + bytes.count <= memoryLimit {
                state.memory += bytes
                state.length += Int64(bytes.count)
                return (nil, nil, 0)
            }
            if state.file == nil { state.checksums.update(state.memory) }
            state.checksums.update(bytes)
            return (state.file, state.memory, state.length)
        }
        guard let memory else { return }
        do {
            let file = try known ?? spill(memory)
            try fileSystem.write(bytes, to: file.descriptor, at: offset)
        } catch {
            throw Self.writeFailure(error)
        }
        let (length, origin) = state.withLock { state -> (Int64, (@Sendable (Int64) -> InterruptedTransfer?)?) in
            state.length += Int64(bytes.count)
            guard state.length >= InterruptedTransfer.leastLength else { return (state.length, nil) }
            defer { state.origin = nil }
            return (state.length, state.origin)
        }
        if let found = origin?(length), let note = encoded(found, length) { writeNote(note) }
    }

    package func keepWhenKilled(
        _ key: CacheKey, since mark: StoreMark?, _ response: @escaping @Sendable (_ length: Int64) -> StoredResponse?
    ) {
        guard let mark else { return }
        state.withLock { state in
            state.origin = { response($0).map { InterruptedTransfer(key: key, response: $0, mark: mark) } }
        }
    }

    /// Writes beside the file whose content it has. Without that the content is complete, and a kill loses it.
    private func writeNote(_ note: [UInt8]) {
        guard let descriptor = try? fileSystem.open(StoreLayout.note(of: path), .creating) else { return }
        defer { fileSystem.close(descriptor) }
        state.withLock { $0.isNoted = true }
        try? fileSystem.write(note, to: descriptor, at: 0)
    }

    /// Takes the content over that is in the file already, and waits for the disk.
    ///
    /// - Returns: Its length.
    func adopt() throws -> Int64 {
        state.withLock { $0.wasMade = true }
        let descriptor = try fileSystem.open(path, .writing)
        let file = BodyFile(descriptor: descriptor, length: ByteCount(Int64.max), fileSystem: fileSystem)
        var offset: Int64 = 0
        while true {
            let bytes = try fileSystem.read(descriptor, at: offset, upTo: 1_048_576)
            try take(Int64(bytes.count))
            offset += Int64(bytes.count)
            state.withLock { state in
                state.hasher.update(bytes)
                state.checksums.update(bytes)
                (state.file, state.length) = (file, offset)
            }
            if bytes.isEmpty { return offset }
        }
    }

    /// Moves the received bytes into a file.
    private func spill(_ memory: [UInt8]) throws -> BodyFile {
        let descriptor = try fileSystem.open(path, .creating)
        let file = BodyFile(descriptor: descriptor, length: ByteCount(Int64.max), fileSystem: fileSystem)
        state.withLock { $0.wasMade = true }
        try fileSystem.write(memory, to: descriptor, at: 0)
        state.withLock { state in
            state.file = file
            state.memory = []
        }
        return file
    }

    static func writeFailure(_ error: any Error) -> StoreError {
        StoreError.unwritten("A response could not be stored", because: error)
    }

    func read(from offset: Int64, upTo count: Int) throws -> [UInt8] {
        let (file, length, bytes) = state.withLock { state -> (BodyFile?, Int64, [UInt8]) in
            (
                state.file, state.length,
                state.file == nil ? Array(state.memory.dropFirst(Int(offset)).prefix(count)) : []
            )
        }
        guard let file else { return bytes }
        return try file.read(from: offset, upTo: Int(min(Int64(count), max(0, length - offset))))
    }

    /// A complete received body.
    struct Finished: Sendable {
        var body: BodyDescription
        /// The content, or `nil` if it is in the file at `path`, synchronised to the disk.
        var bytes: [UInt8]?
    }

    /// Seals the body. Waits for the disk if there is a file, so call it on a thread that may wait.
    func finish() throws -> Finished {
        let (file, finished) = try state.withLock { state -> (BodyFile?, Finished) in
            guard !state.hasFailed else {
                throw StoreError(code: .writeFailed, message: "The response was not received whole.")
            }
            state.isFinished = true
            if state.file == nil { state.checksums.update(state.memory) }
            let body = BodyDescription(
                digest: state.hasher.digest(), length: ByteCount(state.length), checksums: state.checksums.finish())
            return (state.file, Finished(body: body, bytes: state.file == nil ? state.memory : nil))
        }
        if let file {
            do {
                try fileSystem.synchronize(file.descriptor)
            } catch {
                throw Self.writeFailure(error)
            }
        }
        return finished
    }

    /// Ends the reception of a body whose bytes are stored with others. Does not wait for the disk.
    func seal() throws {
        try state.withLock { state in
            guard !state.hasFailed else {
                throw StoreError(code: .writeFailed, message: "The response was not received whole.")
            }
            state.isFinished = true
        }
    }

    /// Whether ``finish()`` waits for the disk.
    var hasFile: Bool { state.withLock { $0.file != nil } }

    var wasMoved: Bool { state.withLock { $0.wasMoved } }

    /// Its bytes count as stored from now on, however long readers keep this.
    func markMoved() {
        let taken = state.withLock { state -> Int64 in
            defer { state.taken = 0 }
            state.wasMoved = true
            return state.taken
        }
        space.giveBack(taken)
        forgetNote()
    }
}

/// The room that a store has for content on its way, in this process: for each body what may be stored, and for all
/// together as much as the store's budget.
///
/// Content whose end never comes would fill the disk otherwise, or as many at once as a page asks for.
final class IncomingSpace: Sendable {
    private let budget: StoreBudget
    private let taken = LockedBox<Int64>(0)

    init(_ budget: StoreBudget) {
        self.budget = budget
    }

    /// - Parameter own: The bytes that the same body has already.
    /// - Throws: ``StoreError/Code/writeFailed`` where there is no room for them.
    func take(_ count: Int64, beside own: Int64) throws {
        guard own <= budget.longestBody.bytes - count else {
            throw StoreError(
                code: .writeFailed,
                message: "The response is longer than \(budget.longestBody), a quarter of the store's budget.")
        }
        let isThere = taken.withLock { taken -> Bool in
            guard taken <= budget.total.bytes - count else { return false }
            taken += count
            return true
        }
        guard isThere else {
            throw StoreError(
                code: .writeFailed,
                message: "The responses on their way are together longer than the store's budget, \(budget.total).")
        }
    }

    func giveBack(_ count: Int64) {
        taken.withLock { $0 -= count }
    }
}
