import GRDB

/// Why an operation of a response store failed.
public struct StoreError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, to branch on.
    public var code: Code
    /// The failure and its remedy, in one sentence.
    package var message: String
    /// The error underneath, if there was one.
    public var cause: (any Error)?

    package init(code: Code, message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The failure and its remedy, with the error underneath.
    public var description: String { cause.map { "\(message) (\($0))" } ?? message }

    /// The kinds of failure.
    public struct Code: Hashable, Sendable {
        private let name: String
        /// The directory can't be created, or can neither be written nor read.
        package static var directoryUnusable: Self { .init(name: "directoryUnusable") }
        /// A newer version of Larder wrote the store; it is left as it is.
        package static var newerFormat: Self { .init(name: "newerFormat") }
        /// A stored entry's content is missing or damaged; the entry has been dropped.
        package static var corruptEntry: Self { .init(name: "corruptEntry") }
        /// Nothing was stored: the disk is full or failing, or write permission is missing. Stored responses are
        /// unchanged.
        package static var writeFailed: Self { .init(name: "writeFailed") }
        /// The index or a body could not be read.
        package static var readFailed: Self { .init(name: "readFailed") }
    }
}

extension StoreError {
    /// A write that failed, with what helps against its cause.
    ///
    /// - Parameter what: The failed work, such as "A response could not be stored"; no full stop.
    static func unwritten(_ what: String, because cause: any Error) -> StoreError {
        StoreError(code: .writeFailed, message: "\(what); \(help(against: cause)).", cause: cause)
    }

    private static let failing = "the disk may be full or failing: free some space, or choose another store directory"

    /// The remedy for a failure of the disk or of SQLite.
    static func help(against cause: any Error, otherwise: String = failing) -> String {
        let full = "the disk is full: free some space, or choose another store directory"
        let refused = "the store directory can't be written: permit it, or choose another one"
        switch cause {
        case let error as DatabaseError:
            return switch error.resultCode.primaryResultCode {
            case .SQLITE_FULL: full
            case .SQLITE_READONLY, .SQLITE_PERM: refused
            case .SQLITE_BUSY:
                "another process keeps the store's index locked: end it, or choose another store directory"
            // The file for shared memory fails so where the disk is full.
            case .SQLITE_IOERR: failing
            default: otherwise
            }
        case let error as FileSystemError:
            return error.isForLackOfSpace ? full : error.isRefusal ? refused : otherwise
        default: return otherwise
        }
    }
}
