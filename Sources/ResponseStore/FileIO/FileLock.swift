import Foundation

/// A lock between processes, and between the threads of each.
package enum FileLock {
    /// Runs the closure while nobody else does so with the same file, which is made when it is not there. Waits for
    /// others; so the closure is short.
    ///
    /// - Throws: `POSIXError`, and what the closure throws.
    package static func holding<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        let descriptor = SystemCalls.openFile(path, SystemCalls.openOrCreate)
        guard descriptor >= 0 else { throw failure }
        // The lock ends with the descriptor, and so with the process.
        defer { SystemCalls.closeFile(descriptor) }
        while SystemCalls.lock(descriptor) < 0 {
            guard SystemCalls.errorNumber == SystemCalls.interrupted else { throw failure }
        }
        return try body()
    }

    /// Takes the lock where nobody else has it. It ends with what is returned, and with the process.
    ///
    /// - Returns: `nil` while somebody else has it.
    /// - Throws: `POSIXError`.
    package static func take(_ path: String) throws -> HeldFileLock? {
        let descriptor = SystemCalls.openFile(path, SystemCalls.openOrCreate)
        guard descriptor >= 0 else { throw failure }
        let lock = HeldFileLock(descriptor)
        while SystemCalls.tryLock(descriptor) < 0 {
            if SystemCalls.errorNumber == SystemCalls.isLocked { return nil }
            guard SystemCalls.errorNumber == SystemCalls.interrupted else { throw failure }
        }
        return lock
    }

    private static var failure: POSIXError { POSIXError(POSIXErrorCode(rawValue: SystemCalls.errorNumber) ?? .EIO) }
}

/// A lock of ``FileLock/take(_:)``, held until nothing refers to it.
package final class HeldFileLock: Sendable {
    private let descriptor: Int32

    fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { SystemCalls.closeFile(descriptor) }
}
