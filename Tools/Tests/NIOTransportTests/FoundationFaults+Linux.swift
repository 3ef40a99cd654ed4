#if canImport(FoundationNetworking)
import CacheTesting

/// What Foundation on Linux lacks, or does otherwise than Apple documents; fakes drive the adapter through these
/// (`AppleStubs`).
enum FoundationFaults {
    static let guarantees: Set<TransportConformance.Guarantee> = [
        // No URLSession tells them.
        .passesOnTrailers,
        // It tells them as final responses, and has no delegate method for them.
        .passesOnInterimResponses,
        // A suspended task goes on receiving; one that is resumed reports its response anew.
        .stopsTheOriginWhenTheReaderStops, .goesOnWhenTheReaderGoesOn,
        // It reports a bad response where none came.
        .noticesAMissingResponse,
        // Content in a coding that it does not know fails.
        .leavesUnknownCodings,
        // It has no bound streams, and traps without a stream.
        .sendsContentOfStatedLength, .sendsContentOfUnknownLength, .sendsLongContent, .refusesContentOfAnotherLength,
        .takesEarlyAnswers,
    ]
}
#endif
