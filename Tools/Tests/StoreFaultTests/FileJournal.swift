import Foundation

/// What `faulty_files.h` recorded: every change below a directory, and every line that was said, in their order.
struct FileJournal {
    enum Record {
        case open(descriptor: Int32, path: String, flags: Int32)
        case close(descriptor: Int32)
        case write(descriptor: Int32, offset: Int, bytes: [UInt8])
        case truncate(descriptor: Int32, length: Int)
        case rename(old: String, new: String)
        case unlink(path: String)
        case makeDirectory(path: String)
        case removeDirectory(path: String)
        case synchronize(descriptor: Int32)
        case line(String)
    }

    var records: [Record] = []

    /// - Parameter path: A file of records; one that was not finished at the end is left out.
    init(path: String) throws {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let headLength = 24
        var position = 0
        while position + headLength <= bytes.count {
            let (kind, descriptor, offset, name, data) = bytes.withUnsafeBytes { all in
                (
                    all.loadUnaligned(fromByteOffset: position, as: UInt32.self),
                    all.loadUnaligned(fromByteOffset: position + 4, as: Int32.self),
                    Int(all.loadUnaligned(fromByteOffset: position + 8, as: Int64.self)),
                    Int(all.loadUnaligned(fromByteOffset: position + 16, as: UInt32.self)),
                    Int(all.loadUnaligned(fromByteOffset: position + 20, as: UInt32.self))
                )
            }
            position += headLength
            guard position + name + data <= bytes.count else { break }
            let path = String(decoding: bytes[position..<position + name], as: UTF8.self)
            let content = bytes[position + name..<position + name + data]
            position += name + data
            switch kind {
            case 1: records.append(.open(descriptor: descriptor, path: path, flags: Int32(truncatingIfNeeded: offset)))
            case 2: records.append(.close(descriptor: descriptor))
            case 3: records.append(.write(descriptor: descriptor, offset: offset, bytes: Array(content)))
            case 4: records.append(.truncate(descriptor: descriptor, length: offset))
            case 5: records.append(.rename(old: path, new: String(decoding: content, as: UTF8.self)))
            case 6: records.append(.unlink(path: path))
            case 7: records.append(.makeDirectory(path: path))
            case 8: records.append(.removeDirectory(path: path))
            case 9: records.append(.synchronize(descriptor: descriptor))
            default:
                let text = String(decoding: content, as: UTF8.self)
                records += text.split(separator: "\n").map { .line(String($0)) }
            }
        }
    }
}
