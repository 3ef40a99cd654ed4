/// A segment: a file to which records are appended until it is full; after that only holes are punched in it.
///
///     "LARDSEG1" (8)   the format
///     mark (16)        random, repeated in every record
///     checksum (8)     of the above
///     records
final class Segment: Sendable {
    static let headerLength = 32
    /// The size after which a new segment begins, 64 MiB.
    static let sizeLimit = 64 * 1_048_576

    private static let magic = Array("LARDSEG1".utf8)

    let number: UInt32
    let mark: [UInt8]
    let descriptor: Int32
    private let fileSystem: any FileSystem

    private init(number: UInt32, mark: [UInt8], descriptor: Int32, fileSystem: any FileSystem) {
        (self.number, self.mark, self.descriptor, self.fileSystem) = (number, mark, descriptor, fileSystem)
    }

    deinit {
        fileSystem.close(descriptor)
    }

    /// Opens a segment for reading and for punching holes.
    ///
    /// - Returns: `nil` if its first bytes are not those of a segment.
    static func open(_ number: UInt32, at path: String, _ fileSystem: any FileSystem) throws -> Segment? {
        let descriptor = try descriptor(path, fileSystem)
        let header: [UInt8]
        do {
            header = try fileSystem.read(descriptor, at: 0, upTo: headerLength)
        } catch {
            fileSystem.close(descriptor)
            throw error
        }
        guard header.count == headerLength, header.starts(with: magic),
            Array(header[24...]) == checksum(Array(header[..<24]))
        else {
            fileSystem.close(descriptor)
            return nil
        }
        return Segment(
            number: number, mark: Array(header[8..<24]), descriptor: descriptor, fileSystem: fileSystem)
    }

    /// If it can't be written, it is opened for reading.
    private static func descriptor(_ path: String, _ fileSystem: any FileSystem) throws(FileSystemError) -> Int32 {
        do {
            return try fileSystem.open(path, .writing)
        } catch {
            guard error.isRefusal else { throw error }
            return try fileSystem.open(path, .reading)
        }
    }

    /// Whether a directory has a segment of this format.
    static func isAny(in layout: StoreLayout, _ fileSystem: any FileSystem) -> Bool {
        fileSystem.names(in: layout.segments).contains { name in
            UInt32(name).flatMap { try? open($0, at: layout.segment($0), fileSystem) } != nil
        }
    }

    /// Creates a segment. Neither its name nor its first bytes are synchronised to the disk yet.
    ///
    /// - Throws: An error with ``FileSystemError/exists`` if there is one with this number.
    static func make(_ number: UInt32, in layout: StoreLayout, _ fileSystem: any FileSystem) throws -> Segment {
        let descriptor = try fileSystem.open(layout.segment(number), .creating)
        let mark = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        let segment = Segment(number: number, mark: mark, descriptor: descriptor, fileSystem: fileSystem)
        try fileSystem.write(magic + mark + checksum(magic + mark), to: descriptor, at: 0)
        return segment
    }

    private static func checksum(_ bytes: [UInt8]) -> [UInt8] {
        var checksum: [UInt8] = []
        checksum.append(number: BlockChecksum.of(bytes))
        return checksum
    }

    // MARK: Reading

    /// A head, and the body after it if requested.
    struct Reading {
        var head: EntryHead
        var body: [UInt8]?
    }

    /// Reads the record of a head, in one call with the body if that follows the head by the index.
    ///
    /// - Returns: `nil` if there is no such record, or it is damaged.
    func read(_ range: SegmentRange, bodyLength: Int?) throws -> Reading? {
        let headLength = Int(range.length) - SegmentRecord.headerLength
        guard headLength > 0, headLength <= SegmentRecord.headLimit else { return nil }
        return try withUnsafeTemporaryAllocation(byteCount: Int(range.length), alignment: 8) { front -> Reading? in
            var got = 0
            var failure: FileSystemError?
            let body = [UInt8](unsafeUninitializedCapacity: bodyLength ?? 0) { buffer, filled in
                do throws(FileSystemError) {
                    got = try fileSystem.read(
                        descriptor, into: front, UnsafeMutableRawBufferPointer(buffer), at: Int64(range.offset))
                } catch {
                    failure = error
                }
                filled = max(0, got - front.count)
            }
            if let failure { throw failure }
            let bytes = UnsafeRawBufferPointer(front)
            guard got == front.count + (bodyLength ?? 0), let header = SegmentRecord.Header(bytes, mark: mark),
                header.headLength == headLength
            else { return nil }
            let headBytes = UnsafeRawBufferPointer(rebasing: bytes[SegmentRecord.headerLength...])
            guard BlockChecksum.of(headBytes) == header.headChecksum, let head = EntryHead(headBytes) else {
                return nil
            }
            if bodyLength != nil, !head.body.matches(body) { return nil }
            return Reading(head: head, body: bodyLength == nil ? nil : body)
        }
    }

    /// Reads a body that was written with another head.
    ///
    /// - Returns: `nil` if it is missing or damaged.
    func readBody(_ range: SegmentRange, of description: BodyDescription) throws -> [UInt8]? {
        let bytes = try fileSystem.read(descriptor, at: Int64(range.offset), upTo: Int(range.length))
        return description.matches(bytes) ? bytes : nil
    }

    func size() throws -> Int64 { try fileSystem.size(descriptor) }

    /// Frees space. On a file system without holes the bytes become zeros and the space stays allocated.
    func punchHole(_ range: Range<Int64>) throws {
        // A damaged index may have places far past the end.
        let range = range.clamped(to: 0..<max(0, try size()))
        guard !range.isEmpty else { return }
        do {
            try fileSystem.punchHole(range, in: descriptor)
        } catch {
            var position = range.lowerBound
            while position < range.upperBound {
                let count = min(1 << 20, range.upperBound - position)
                try fileSystem.write([UInt8](repeating: 0, count: Int(count)), to: descriptor, at: position)
                position += count
            }
        }
    }

    /// The records, in order; holes and other bytes are skipped.
    func forEachRecord(_ body: (_ place: Int64, SegmentRecord.Header, EntryHead) throws -> Void) throws {
        let size = try size()
        var position = Int64(Self.headerLength)
        while position + Int64(SegmentRecord.headerLength) <= size {
            let bytes = try fileSystem.read(descriptor, at: position, upTo: SegmentRecord.headerLength)
            guard let header = bytes.withUnsafeBytes({ SegmentRecord.Header($0, mark: mark) }) else {
                position = try next(after: position, size)
                continue
            }
            let block = try fileSystem.read(
                descriptor, at: position + Int64(SegmentRecord.headerLength), upTo: header.headLength)
            guard BlockChecksum.of(block) == header.headChecksum,
                let head = block.withUnsafeBytes({ EntryHead($0) })
            else {
                position = try next(after: position, size)
                continue
            }
            try body(position, header, head)
            position += Int64(header.recordLength)
        }
    }

    /// The next offset of the mark.
    private func next(after position: Int64, _ size: Int64) throws -> Int64 {
        var start = position + Int64(SegmentRecord.alignment)
        while start < size {
            let bytes = try fileSystem.read(descriptor, at: start, upTo: 1 << 20)
            var offset = 0
            while offset + mark.count <= bytes.count {
                if bytes[offset] == mark[0], bytes[offset..<offset + mark.count].elementsEqual(mark) {
                    return start + Int64(offset)
                }
                offset += SegmentRecord.alignment
            }
            guard offset > 0, bytes.count == 1 << 20 else { return size }
            start += Int64(offset)
        }
        return size
    }

    func write(_ bytes: [UInt8], at offset: Int64) throws {
        try fileSystem.write(bytes, to: descriptor, at: offset)
        try fileSystem.synchronize(descriptor)
    }
}
