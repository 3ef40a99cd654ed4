/// Why a ``PreloadList`` can't be read.
public struct PreloadListError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Counted from 1; 0 for the list as a whole.
    public var line: Int
    /// What is wrong and what helps, in one sentence.
    package var message: String

    init(line: Int, message: String) {
        self.line = line
        self.message = message
    }

    public var description: String { line == 0 ? message : "line \(line): \(message)" }
}
