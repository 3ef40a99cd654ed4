import HTTPCacheSemantics
import Manifests
import ResponseStore

/// A file of responses that ships with an app. Opening it reads and checks its index; contents are read piece by piece,
/// and verified by their hashes before anything of them is visible.
package struct Seed: Sendable {
    /// The most octets that are asked for at once.
    static let pieceLength = 65_536

    package let index: SeedIndex
    /// The SHA-256 of the index in hexadecimal digits. Seeds with the same one have the same contents: an app notes it
    /// once all of a seed is stored, and need not open it again.
    package let digest: String
    private let file: any SeedFile
    /// Where the contents begin.
    private let start: Int64

    /// Opens a file, which has to stay as it is. The path is absolute, or relative to the working directory.
    package init(path: String) throws(SeedError) {
        let file: BodyFile
        do {
            file = try BodyFile(reading: path)
        } catch {
            throw SeedError(
                .unreadable,
                "'\(path)' can't be opened as a file; check that it is one, and that the app's bundle contains it.",
                cause: error)
        }
        try self.init(file)
    }

    package init(_ file: any SeedFile) throws(SeedError) {
        self.file = file
        let length = file.length.bytes
        let prologue = Int64(SeedIndex.prologueLength)
        let first = try Self.read(file, 0..<min(length, prologue))
        guard first.starts(with: SeedIndex.magic.prefix(first.count)), !first.isEmpty else {
            throw SeedError(.notASeed, "The file does not begin as a seed does; 'larder seed build' makes one.")
        }
        guard first.count == SeedIndex.prologueLength else { throw Self.truncated }
        let version = SeedIndex.number(first[8..<12])
        guard version == SeedIndex.format else {
            throw SeedError(
                .unsupported, "The seed has the format \(version); this app knows \(SeedIndex.format). Update the app.")
        }
        let indexLength = Int64(SeedIndex.number(first[12..<16]))
        guard indexLength <= Int64(SeedIndex.sizeLimit) else {
            throw SeedError(
                .tooLarge, "The index has \(indexLength) octets; at most \(SeedIndex.sizeLimit) are allowed.")
        }
        start = prologue + indexLength
        guard start <= length else { throw Self.truncated }
        let bytes = try Self.read(file, prologue..<start)
        let digest = BodyDigest(of: bytes)
        guard digest.bytes == Array(first[16...]) else {
            throw SeedError(.damaged, "The index is damaged: it has another SHA-256 than stated. Build the seed again.")
        }
        self.digest = digest.description
        index = try SeedIndex(bytes: bytes)
        let contents = length - start
        guard contents >= index.contentLength else { throw Self.truncated }
        guard contents == index.contentLength else {
            throw SeedError(.malformed, "The file goes on behind its last content; build the seed again.")
        }
    }

    /// The head, as it was published, and the list of the manifest; `nil` if there is none. Nothing is verified.
    package func manifest() throws(SeedError) -> (head: [UInt8], list: [UInt8])? {
        guard let parts = index.manifest else { return nil }
        return (try octets(parts.head), try octets(parts.list))
    }

    private func octets(_ region: Range<Int64>) throws(SeedError) -> [UInt8] {
        try Self.read(file, start + region.lowerBound..<start + region.upperBound)
    }

    /// Octets of a region of the index from an offset in it: at most ``pieceLength``, none at the end.
    func piece(of region: Range<Int64>, at offset: Int64) throws(SeedError) -> [UInt8] {
        let begin = region.lowerBound + offset
        guard begin < region.upperBound else { return [] }
        let end = min(region.upperBound, begin + Int64(Self.pieceLength))
        return try Self.read(file, start + begin..<start + end)
    }

    /// All octets of a range of the file.
    private static func read(_ file: any SeedFile, _ range: Range<Int64>) throws(SeedError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < range.count {
            let count = min(pieceLength, range.count - bytes.count)
            let piece: [UInt8]
            do {
                piece = try file.read(from: range.lowerBound + Int64(bytes.count), upTo: count)
            } catch {
                throw SeedError(.unreadable, "The seed can't be read; install the app again.", cause: error)
            }
            // A file that was cut off since it was opened, or one that gives more than it is asked for.
            guard !piece.isEmpty, piece.count <= count else { throw truncated }
            bytes += piece
        }
        return bytes
    }

    private static var truncated: SeedError {
        SeedError(.truncated, "The seed ends before its last content; it was not copied to its end.")
    }
}

/// Where the octets of a seed come from, such as a file of the app's bundle. Nothing that it says is trusted.
package protocol SeedFile: Sendable {
    var length: ByteCount { get }

    /// Octets from an offset; fewer than asked for only at the end.
    func read(from offset: Int64, upTo count: Int) throws -> [UInt8]
}

extension BodyFile: SeedFile {}

/// Why a seed is not used. Nothing of it is stored then.
public struct SeedError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, to branch on.
    public var code: Code
    /// The problem and its remedy.
    package var message: String
    /// The error underneath, if there was one.
    public var cause: (any Error)?

    package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        (self.code, self.message, self.cause) = (code, message, cause)
    }

    /// `truncated: The seed ends …`
    public var description: String { "\(code): \(message)" }

    /// The kind of an error. Its description is its name in logs and under `--json`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        /// The file is missing, or can't be read.
        package static var unreadable: Self { .init(description: "unreadable") }
        /// The file does not begin as a seed does.
        package static var notASeed: Self { .init(description: "not-a-seed") }
        /// The format is newer than this program, or a key that begins with `must-` is unknown to it.
        package static var unsupported: Self { .init(description: "unsupported") }
        /// The index has more than 32 MiB, the list of the manifest more than 16 MiB, or its head more than 64 KiB.
        package static var tooLarge: Self { .init(description: "too-large") }
        /// The file ends before what it announces.
        package static var truncated: Self { .init(description: "truncated") }
        /// The index has another SHA-256 than the file states.
        package static var damaged: Self { .init(description: "damaged") }
        /// The index is not what its format says.
        package static var malformed: Self { .init(description: "malformed") }
        /// More than 50,000 files, or a million values.
        package static var tooMany: Self { .init(description: "too-many") }
        /// Two files have the same URL.
        package static var duplicateURL: Self { .init(description: "duplicate-url") }
        /// The manifest in the seed is refused, or says other things than the index; the cause is a `ManifestRefusal`
        /// in the first case.
        package static var manifest: Self { .init(description: "manifest") }
        /// The accepted state of the manifest can't be read, or the seed's can't be kept.
        package static var state: Self { .init(description: "state") }
    }
}
