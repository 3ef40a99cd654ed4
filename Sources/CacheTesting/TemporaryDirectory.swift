import Foundation

/// A test's own directory, removed with its contents when the last reference to it is released.
public final class TemporaryDirectory: Sendable {
    /// The parent of all directories of this process, removed when it ends: a store that is still writing when its
    /// directory is removed creates it again.
    private static let ofProcess: String = {
        atexit { try? FileManager.default.removeItem(atPath: ofProcess) }
        let base = URL(fileURLWithPath: NSTemporaryDirectory())
        return base.appendingPathComponent("larder-tests-\(name())").path
    }()

    /// Short, so that messages with a path stay on one line.
    private static func name() -> String { String(UInt64.random(in: .min ... .max), radix: 36) }

    /// Its absolute path.
    public let path: String

    /// A path inside it for a store, which does not exist yet.
    public var store: String { path + "/store" }

    /// Creates an empty directory.
    ///
    /// - Parameter base: Its parent; by default among the system's temporary files.
    /// - Throws: `CocoaError` if it can't be created.
    public init(in base: String? = nil) throws {
        path = (base ?? Self.ofProcess) + "/larder-test-\(Self.name())"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a text in UTF-8 to a file inside it.
    ///
    /// - Returns: The file's path.
    /// - Throws: `CocoaError` if it can't be written.
    public func write(_ name: String, _ text: String) throws -> String {
        try text.write(toFile: "\(path)/\(name)", atomically: true, encoding: .utf8)
        return "\(path)/\(name)"
    }
}
