import CacheTesting
import Foundation
import StoreStress

/// Ways in which a file comes to harm.
enum DamagedFile: String, CaseIterable, Sendable {
    case bit, page, truncated, emptied, missing

    /// - Returns: Where, for the message of a failure; `nil` when there was nothing to harm.
    func harm(_ path: String, random: inout SplitMix64) throws -> String? {
        let url = URL(fileURLWithPath: path)
        guard var content = try? Data(contentsOf: url), !content.isEmpty else { return nil }
        let place = Int(random.next() % UInt64(content.count))
        // In place, as a failing disk does it; a program that has the file open has this one.
        let file = try FileHandle(forUpdating: url)
        defer { try? file.close() }
        switch self {
        case .bit:
            content[place] ^= 1 << UInt8(random.next() % 8)
            try file.seek(toOffset: UInt64(place))
            try file.write(contentsOf: content[place..<place + 1])
        case .page:
            let start = place / 4_096 * 4_096
            let noise = (start..<min(content.count, start + 4_096)).map { _ in UInt8(truncatingIfNeeded: random.next())
            }
            try file.seek(toOffset: UInt64(start))
            try file.write(contentsOf: noise)
        case .truncated: try file.truncate(atOffset: UInt64(place))
        case .emptied: try file.truncate(atOffset: 0)
        case .missing: try FileManager.default.removeItem(at: url)
        }
        return "\((path as NSString).lastPathComponent): \(self) at \(place) of \(content.count)"
    }

    /// The files of a store, in a fixed order; without SQLite's shared memory, which holds nothing.
    static func files(in directory: String) -> [String] {
        let manager = FileManager.default
        let paths = (manager.enumerator(atPath: directory)?.allObjects as? [String] ?? []).sorted()
        return paths.filter { path in
            var isDirectory: ObjCBool = false
            return manager.fileExists(atPath: directory + "/" + path, isDirectory: &isDirectory)
                && !isDirectory.boolValue && !path.hasSuffix("-shm")
        }
    }
}
