import CacheTesting
import Foundation
import Glibc
import StoreStress

/// A disk that remembers what was synchronised, and what would be lost with its power.
///
/// Two kinds of file system, which differ in when a name is safe. `journaled`: with any later fsync of any file, as
/// ext4, XFS and APFS do it, which commit all names up to that moment. `strict`: with an fsync of its directory, which
/// is all that POSIX promises. Directories themselves are taken for safe once made.
struct VolatileDisk {
    enum Kind: String, CaseIterable, Sendable { case journaled, strict }

    private struct File {
        var safe: [UInt8] = []
        var now: [UInt8] = []
        /// Since the last fsync of this file.
        var pending: [(moment: Int, change: Change)] = []

        mutating func settle() { (safe, pending) = (now, []) }

        mutating func take(_ change: Change, at moment: Int) {
            change.apply(to: &now)
            pending.append((moment, change))
        }
    }

    private enum Change {
        case write(offset: Int, bytes: [UInt8])
        case truncate(Int)
        /// The length of a write without its bytes.
        case extend(Int)

        func apply(to content: inout [UInt8]) {
            switch self {
            case .truncate(let length):
                if length < content.count {
                    content.removeLast(content.count - length)
                } else {
                    content += [UInt8](repeating: 0, count: length - content.count)
                }
            case .extend(let length):
                if content.count < length { Change.truncate(length).apply(to: &content) }
            case .write(let offset, let bytes):
                if content.count < offset + bytes.count {
                    content += [UInt8](repeating: 0, count: offset + bytes.count - content.count)
                }
                content.withUnsafeMutableBytes { content in
                    UnsafeMutableRawBufferPointer(rebasing: content[offset...]).copyBytes(from: bytes)
                }
            }
        }
    }

    private struct Name {
        var file: Int?
        /// The path that gets the file, or loses it where there is none, and the one that the file had before.
        var path: String
        var old: String?
        var isSafe = false
    }

    let kind: Kind
    private var files: [Int: File] = [:]
    private var names: [String: Int] = [:]
    private var safeNames: [String: Int] = [:]
    private var pendingNames: [Name] = []
    private var directories: Set<String> = []
    private var descriptors: [Int32: String] = [:]
    private var open: [Int32: Int] = [:]
    private var moment = 0

    init(kind: Kind) {
        self.kind = kind
    }

    /// How many changes could be lost now.
    var pendingCount: Int { files.values.reduce(pendingNames.count) { $0 + $1.pending.count } }

    mutating func take(_ record: FileJournal.Record) {
        moment += 1
        switch record {
        case .open(let descriptor, let path, let flags): opened(descriptor, path, flags)
        case .close(let descriptor): (open[descriptor], descriptors[descriptor]) = (nil, nil)
        case .write(let descriptor, let offset, let bytes): change(descriptor, .write(offset: offset, bytes: bytes))
        case .truncate(let descriptor, let length): change(descriptor, .truncate(length))
        case .rename(let old, let new):
            guard let file = names.removeValue(forKey: old) else { return }
            names[new] = file
            pendingNames.append(Name(file: file, path: new, old: old))
        case .unlink(let path):
            guard names.removeValue(forKey: path) != nil else { return }
            pendingNames.append(Name(path: path))
        case .makeDirectory(let path): directories.insert(path)
        case .removeDirectory(let path): directories.remove(path)
        case .synchronize(let descriptor): synchronized(descriptor)
        case .line: break
        }
    }

    private mutating func opened(_ descriptor: Int32, _ path: String, _ flags: Int32) {
        descriptors[descriptor] = path
        open[descriptor] = nil
        if directories.contains(path) { return }
        let file: Int
        if let known = names[path] {
            file = known
        } else {
            file = moment
            files[file] = File()
            names[path] = file
            pendingNames.append(Name(file: file, path: path))
        }
        open[descriptor] = file
        if flags & O_TRUNC != 0 { change(descriptor, .truncate(0)) }
    }

    private mutating func change(_ descriptor: Int32, _ change: Change) {
        guard let file = open[descriptor] else { return }
        files[file]?.take(change, at: moment)
    }

    private mutating func synchronized(_ descriptor: Int32) {
        if let file = open[descriptor] {
            files[file]?.settle()
        }
        let directory = open[descriptor] == nil ? descriptors[descriptor] : nil
        for index in pendingNames.indices {
            let parent = (pendingNames[index].path as NSString).deletingLastPathComponent
            if kind == .journaled || parent == directory { pendingNames[index].isSafe = true }
        }
        while let name = pendingNames.first, name.isSafe {
            Self.apply(name, to: &safeNames)
            pendingNames.removeFirst()
        }
    }

    private static func apply(_ name: Name, to names: inout [String: Int]) {
        if let old = name.old { names[old] = nil }
        names[name.path] = name.file
    }

    /// Everything has reached the disk by itself, as it does within the minute.
    mutating func settle() {
        for number in files.keys { files[number]?.settle() }
        (safeNames, pendingNames) = (names, [])
    }
}

extension VolatileDisk {
    /// Writes what one loss of power at this moment could leave.
    ///
    /// - Returns: What was lost, for the message of a failure.
    func losePower(into directory: String, from root: String, random: inout SplitMix64) throws -> String {
        let manager = FileManager.default
        try? manager.removeItem(atPath: directory)
        for path in directories.union([root]) where path.hasPrefix(root) {
            try manager.createDirectory(
                atPath: directory + path.dropFirst(root.count), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
        var kept = safeNames
        let count = Int(random.next() % UInt64(pendingNames.count + 1))
        for (index, name) in pendingNames.enumerated() where index < count || name.isSafe {
            Self.apply(name, to: &kept)
        }
        let loss = Loss(random: &random, now: moment)
        for (path, number) in kept.sorted(by: { $0.key < $1.key }) {
            guard let file = files[number], path.hasPrefix(root) else { continue }
            var content = file.safe
            for (moment, change) in file.pending {
                for part in loss.decide(change, moment, &random) { part.apply(to: &content) }
            }
            let target = directory + path.dropFirst(root.count)
            try Data(content).write(to: URL(fileURLWithPath: target))
            chmod(target, 0o600)
        }
        return "\(kind), \(count) of \(pendingNames.count) names kept, writes: \(loss)"
    }

    /// Which of the writes that were not synchronised reached the disk.
    private enum Loss {
        case none
        case all
        /// All before a moment, none after it.
        case since(Int)
        /// Each of them by chance, in per cent; some torn at 512 bytes, some with their length but without their bytes.
        case some(UInt64)

        init(random: inout SplitMix64, now: Int) {
            switch random.next() % 8 {
            case 0: self = .none
            case 1: self = .all
            case 2, 3: self = .since(max(0, now - Int(random.next() % 60)))
            default: self = .some([10, 50, 90][Int(random.next() % 3)])
            }
        }

        func decide(_ change: Change, _ moment: Int, _ random: inout SplitMix64) -> [Change] {
            switch self {
            case .none: return [change]
            case .all: return []
            case .since(let last): return moment < last ? [change] : []
            case .some(let share):
                guard case .write(let offset, let bytes) = change, random.next() % 4 == 0 else {
                    return random.next() % 100 < share ? [change] : []
                }
                return Self.tear(offset, bytes, &random)
            }
        }

        /// The sectors of one write, each there or not.
        private static func tear(_ offset: Int, _ bytes: [UInt8], _ random: inout SplitMix64) -> [Change] {
            var parts: [Change] = random.next() % 2 == 0 ? [.extend(offset + bytes.count)] : []
            if random.next() % 4 == 0 { return parts }
            var start = 0
            while start < bytes.count {
                let end = min(bytes.count, (offset + start) / 512 * 512 + 512 - offset)
                if random.next() % 2 == 0 {
                    parts.append(.write(offset: offset + start, bytes: Array(bytes[start..<end])))
                }
                start = end
            }
            return parts
        }
    }
}
