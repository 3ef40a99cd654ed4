import ArgumentParser
import HTTPCacheSemantics
import LarderHost

/// A size on the command line: `50MB`, `512kB`, `1GB`, or a number of bytes.
struct ByteCountArgument: Sendable {
    var count: ByteCount

    /// - Throws: `ValidationError` for what is no size.
    init(_ argument: String) throws {
        let refusal = ValidationError("'\(argument)' is no size; write it like 50MB, 512kB or 1GiB, in whole numbers.")
        let text = argument.lowercased()
        let units: [(String, Int64)] = [
            ("kib", 1 << 10), ("mib", 1 << 20), ("gib", 1 << 30), ("kb", 1_000), ("mb", 1_000_000),
            ("gb", 1_000_000_000), ("b", 1),
        ]
        let unit = units.first { text.hasSuffix($0.0) }
        let digits = text.dropLast(unit?.0.count ?? 0).filter { $0 != " " }
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int64(digits) else {
            throw refusal
        }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: unit?.1 ?? 1)
        guard !overflow else { throw refusal }
        count = ByteCount(bytes)
    }
}

/// The most that may be fetched ahead of need in a day: a size, or `none` for no limit.
struct DailyBudgetArgument: Sendable {
    /// `nil` for no limit. As in an app unless set.
    var limit = PreloadRequest.defaultBytesPerDay

    init() {}

    /// - Throws: `ValidationError` for what is neither.
    init(_ argument: String) throws {
        limit = argument == "none" ? nil : try ByteCountArgument(argument).count
    }
}
