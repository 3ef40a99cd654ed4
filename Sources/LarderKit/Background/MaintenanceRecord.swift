import Foundation
import HTTPCacheSemantics

/// When maintenance was done last: the file `maintained` in the store's folder, in seconds since 1970.
///
/// If the system empties the folder the record goes with it, and maintenance is due.
struct MaintenanceRecord: Sendable {
    let path: String

    /// - Returns: `nil` if it is not known, or not before `now`, as after the clock was set back.
    func last(before now: WallInstant) -> WallInstant? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8), text.utf8.count <= 20,
            let seconds = Int64(text.trimmingCharacters(in: .newlines)), seconds >= 0, seconds <= now.unixSeconds
        else { return nil }
        return WallInstant(unixSeconds: seconds)
    }

    /// If it can't be written, maintenance comes sooner than needed.
    func note(_ time: WallInstant) {
        try? "\(time.unixSeconds)\n".write(toFile: path, atomically: true, encoding: .utf8)
    }
}
