import Foundation

/// A lock between processes, and between the threads of each.
package enum FileLock {
    /// Runs the closure while nobody else does so with the same file, which is made when it is not there. Waits for
    /// others; so the closure is short.
    ///
    /// - Throws: `POSIXError`, and what the closure throws.
    package static func holding<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        let descriptor = SystemCalls.open(path, SystemCalls.openOrCreate)
        guard descriptor >= 0 else { throw failure }
        // The lock ends with the descriptor, and so with the process.
        defer { SystemCalls.close(descriptor) }
        while SystemCalls.lock(descriptor) < 0 {
            guard SystemCalls.errorNumber == SystemCalls.interrupted else { throw failure }
        }
        return try body()
    }

    private static var failure: POSIXError { POSIXError(POSIXErrorCode(rawValue: SystemCalls.errorNumber) ?? .EIO) }
}
