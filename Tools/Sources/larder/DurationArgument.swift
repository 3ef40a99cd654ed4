import ArgumentParser
import CacheRules

/// A length of time as an option takes it: `5s`, `1500ms`, `1m30s`, or a number of seconds such as `5` or `0.5`.
struct DurationArgument: Sendable, CustomStringConvertible {
    var duration: Duration

    /// - Throws: `ValidationError` for what is no length of time.
    init(_ argument: String) throws {
        if let duration = DurationText.parse(argument) {
            self.duration = duration
        } else if let seconds = Double(argument), (0...1e9).contains(seconds) {
            duration = .milliseconds(Int64((seconds * 1_000).rounded()))
        } else {
            throw ValidationError("'\(argument)' is no length of time; write it like 5s, 1500ms or 1m30s.")
        }
    }

    static func seconds(_ seconds: Double) -> DurationArgument {
        DurationArgument(duration: .milliseconds(Int64(seconds * 1_000)))
    }

    private init(duration: Duration) { self.duration = duration }

    var seconds: Double { duration / .seconds(1) }

    var description: String { DurationText.print(duration) ?? "\(duration)" }
}
