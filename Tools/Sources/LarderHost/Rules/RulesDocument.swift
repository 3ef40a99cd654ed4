import CacheRules
import Foundation

/// A rules file as it was read, right or wrong.
public struct RulesDocument: Sendable {
    /// What the file is called in messages.
    public var name: String
    public var bytes: [UInt8]

    public init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    /// No file that is taken is as long by far; one without an end does not fill the memory.
    private static let mostBytes = 16 << 20

    /// - Parameter path: A file, or `-` for standard input.
    /// - Throws: ``HostError`` where it can't be read.
    public static func read(_ path: String) throws(HostError) -> RulesDocument {
        let isStandardInput = path == "-"
        let descriptor = isStandardInput ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path) }
        defer { if !isStandardInput { close(descriptor) } }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < mostBytes {
            let count = Foundation.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw unreadable(path) }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return RulesDocument(name: isStandardInput ? "<stdin>" : path, bytes: bytes)
    }

    private static func unreadable(_ path: String) -> HostError {
        let reason = String(cString: strerror(errno))
        return HostError(
            code: .badUse,
            message: "The rules file '\(path)' can't be read (\(reason)); larder rules print shows what one looks like."
        )
    }

    /// - Throws: ``UnusableRules`` with everything that is wrong with the file.
    public func rules() throws(UnusableRules) -> RuleList {
        do throws(RulesFileError) {
            return try RuleList(json: bytes)
        } catch {
            throw UnusableRules(document: self, problems: error.problems)
        }
    }
}
