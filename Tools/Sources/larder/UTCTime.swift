import Foundation
import HTTPCacheSemantics

/// A time in the format of RFC 3339, in UTC and to the millisecond: `2026-11-22T10:40:20.123Z`.
enum UTCTime {
    static func text(_ instant: WallInstant) -> String {
        let (seconds, attoseconds) = instant.sinceEpoch.components
        var (time, parts) = (time_t(seconds), tm())
        gmtime_r(&time, &parts)
        return String(
            format: "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", parts.tm_year + 1_900, parts.tm_mon + 1, parts.tm_mday,
            parts.tm_hour, parts.tm_min, parts.tm_sec, Int32(attoseconds / 1_000_000_000_000_000))
    }
}
