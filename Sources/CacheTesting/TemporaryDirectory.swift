import Foundation

/// A directory of a test's own, removed with all that is in it when the last reference to it goes.
public final class TemporaryDirectory: Sendable {
    /// Holds all that this process makes, until it ends: a store that is still writing when its directory is removed
    /// makes it anew.
    private static let ofProcess: String = {
        atexit { try? FileManager.default.removeItem(atPath: ofProcess) }
        let base = URL(fileURLWithPath: NSTemporaryDirectory())
        return base.appendingPathComponent("larder-tests-\(name())").path
    }()

    /// Short, so that lines with a path in them stay lines.
    private static func name() -> String { String(UInt64.random(in: .min ... .max), radix: 36) }

    /// Its absolute path.
    public let path: String

    /// A path inside it where nothing is, for a store to make.
    public var store: String { path + "/store" }

    /// Makes an empty one.
    ///
    /// - Parameter base: The directory to make it in; one among the system's temporary files unless set.
    /// - Throws: `CocoaError` when it can't be made.
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
    /// - Throws: `CocoaError` when it can't be written.
    public func write(_ name: String, _ text: String) throws -> String {
        try text.write(toFile: "\(path)/\(name)", atomically: true, encoding: .utf8)
        return "\(path)/\(name)"
    }
}
