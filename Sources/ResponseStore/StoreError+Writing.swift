import GRDB

extension StoreError {
    /// A write that failed, with what helps against its cause.
    ///
    /// - Parameter what: What was not done, such as "A response could not be stored"; no full stop.
    static func unwritten(_ what: String, because cause: any Error) -> StoreError {
        let isFull: Bool
        let isRefused: Bool
        switch cause {
        case let error as DatabaseError:
            isFull = error.resultCode.primaryResultCode == .SQLITE_FULL
            isRefused = [.SQLITE_READONLY, .SQLITE_PERM].contains(error.resultCode.primaryResultCode)
        case let error as FileSystemError: (isFull, isRefused) = (error.isForLackOfSpace, error.isRefusal)
        default: (isFull, isRefused) = (false, false)
        }
        let help =
            if isFull {
                "the disk is full: free some space, or choose another store directory"
            } else if isRefused {
                "the store directory can't be written: permit it, or choose another one"
            } else {
                "the disk may be full or failing: free some space, or choose another store directory"
            }
        return StoreError(code: .writeFailed, message: "\(what); \(help).", cause: cause)
    }
}
