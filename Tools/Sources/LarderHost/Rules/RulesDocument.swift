import CacheRules
import Foundation
import Locking

/// A rules file as it was read, right or wrong.
package struct RulesDocument: Sendable {
    /// The file's name in messages.
    package var name: String
    package var bytes: [UInt8]

    package init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    /// No file that is taken is as long by far; one without an end does not fill the memory.
    private static let mostBytes = 16 << 20

    /// The bytes of standard input: it can be read once, and some commands need the rules several times.
    private static let standardInput = LockedBox<[UInt8]?>(nil)

    /// - Parameter path: A file, or `-` for standard input.
    /// - Throws: ``HostError`` where it can't be read.
    package static func read(_ path: String) throws(HostError) -> RulesDocument {
        let isStandardInput = path == "-"
        do throws(OrdinaryFile.Obstacle) {
            let known = isStandardInput ? standardInput.withLock { $0 } : nil
            let bytes =
                if let known { known } else if isStandardInput {
                    try OrdinaryFile.bytes(of: STDIN_FILENO, upTo: mostBytes)
                } else {
                    try OrdinaryFile.bytes(path, upTo: mostBytes)
                }
            if isStandardInput { standardInput.withLock { $0 = bytes } }
            return RulesDocument(name: isStandardInput ? "<stdin>" : path, bytes: bytes)
        } catch {
            throw HostError(
                code: .badUse,
                message:
                    "The rules file '\(path)' can't be read (\(error.reason)); larder rules print shows what one looks "
                    + "like.")
        }
    }

    /// - Throws: ``UnusableRules`` with everything that is wrong with the file.
    package func rules() throws(UnusableRules) -> RuleList {
        do throws(RulesFileError) {
            return try RuleList(json: bytes)
        } catch {
            throw UnusableRules(document: self, problems: error.problems)
        }
    }
}
