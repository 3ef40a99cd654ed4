import HTTPCacheSemantics
import HTTPTypes
import Testing

@Suite("RFC 9111 §4.2.3 Calculating Age")
struct CurrentAgeTests {
    /// All moments as seconds after the sample date, which is what `Date` says unless a row has its own.
    struct Timeline: Sendable, CustomStringConvertible {
        var date: String? = StoredResponse.sampleDate
        var age: [String] = []
        var requested: Duration = .zero
        var received: Duration = .zero
        var now: Duration = .zero

        var description: String {
            "\(date ?? "no Date") \(age), requested +\(requested), received +\(received), now +\(now)"
        }

        var currentAge: Duration {
            StoredResponse.sample(
                (date.map { [$0] } ?? []) + age, requestedAfter: requested, receivedAfter: received
            ).currentAge(at: .sample + now)
        }
    }

    static let terms: [Row<Timeline, Duration>] = [
        Row(Timeline(), .zero, "just generated"),
        Row(Timeline(now: .seconds(7)), .seconds(7), "\"resident_time = now - response_time\""),
        Row(
            Timeline(requested: .seconds(30), received: .seconds(30), now: .seconds(30)), .seconds(30),
            "\"apparent_age = max(0, response_time - date_value)\""),
        Row(
            Timeline(requested: .seconds(-4), now: .zero), .seconds(4),
            "\"response_delay = response_time - request_time\""),
        Row(Timeline(age: ["Age: 100"]), .seconds(100), "\"corrected_age_value = age_value + response_delay\""),
        Row(
            Timeline(age: ["Age: 100"], requested: .seconds(-4), now: .seconds(7)), .seconds(111),
            "age_value + response_delay + resident_time"),
        Row(
            Timeline(age: ["Age: 20"], requested: .seconds(28), received: .seconds(30), now: .seconds(35)),
            .seconds(35),
            "\"max(apparent_age, corrected_age_value)\": 30 against 22"),
        Row(
            Timeline(age: ["Age: 29"], requested: .seconds(28), received: .seconds(30), now: .seconds(35)),
            .seconds(36),
            "\"max(apparent_age, corrected_age_value)\": 30 against 31"),
        Row(
            Timeline(requested: .milliseconds(100), received: .milliseconds(350), now: .milliseconds(1_350)),
            .milliseconds(1_350), "no term is rounded"),
    ]

    @Test("every term of the formula counts", arguments: terms)
    func checkTerms(_ row: Row<Timeline, Duration>) {
        #expect(row.given.currentAge == row.expected)
    }

    static let clocks: [Row<Timeline, Duration>] = [
        Row(
            Timeline(requested: .seconds(-60), received: .seconds(-60), now: .seconds(-60)), .zero,
            "\"max(0, …)\": Date is ahead"),
        Row(Timeline(requested: .seconds(-60), received: .seconds(-60)), .seconds(60), "a Date ahead: residence only"),
        Row(
            Timeline(date: nil, now: .seconds(9)), .seconds(9),
            "RFC 9110 §6.6.1: without Date, the time it was received"),
        Row(
            Timeline(date: "Date: yesterday", now: .seconds(9)), .seconds(9),
            "RFC 9110 §6.6.1, an invalid Date likewise"),
        Row(
            Timeline(received: .seconds(10), now: .seconds(4)), .seconds(10),
            "a clock set back adds no negative residence"),
        Row(
            Timeline(age: ["Age: 5"], requested: .seconds(10)), .seconds(5),
            "a clock set back in between adds no negative delay"),
        Row(Timeline(now: .seconds(86_400 * 36_500)), .seconds(86_400 * 36_500), "a century"),
    ]

    @Test("clocks that disagree never make an age negative", arguments: clocks)
    func checkClocks(_ row: Row<Timeline, Duration>) {
        #expect(row.given.currentAge == row.expected)
    }

    static let ages: [Row<[String], Duration>] = [
        Row([], .zero, "§5.1: absent"),
        Row(["Age: 0"], .zero, "§5.1"),
        Row(["Age: 100"], .seconds(100), "§5.1"),
        Row(["Age: 100, 5"], .seconds(100), "§5.1 \"SHOULD use the first member of the field value\""),
        Row(["Age: 5, 100"], .seconds(5), "§5.1 \"SHOULD use the first member of the field value\""),
        Row(["Age: 100", "Age: 5"], .seconds(100), "§5.1 \"SHOULD use the first member of the field value\""),
        Row(["Age: 2147483648"], .seconds(2_147_483_648), "§1.2.2"),
        Row(["Age: 99999999999999999999"], .seconds(2_147_483_648), "§1.2.2 overflow"),
        Row(["Age: -100"], .zero, "§5.1 \"a cache SHOULD ignore the field\" where invalid"),
        Row(["Age: 100.5"], .zero, "§5.1 \"a cache SHOULD ignore the field\" where invalid"),
        Row(["Age: 100;x=1"], .zero, "§5.1 \"a cache SHOULD ignore the field\" where invalid"),
        Row(["Age: abc, 100"], .zero, "§5.1: the first member is what counts, and it is invalid"),
        Row(["Age:"], .zero, "§5.1 \"a cache SHOULD ignore the field\" where invalid"),
    ]

    @Test("§5.1 Age is its first member, and nothing where that is invalid", arguments: ages)
    func checkAges(_ row: Row<[String], Duration>) {
        #expect(Timeline(age: row.given).currentAge == row.expected)
    }
}
