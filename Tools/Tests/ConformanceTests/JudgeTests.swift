import HTTPCacheSemantics
import Testing

/// Every outcome and every check can fail: a suite whose judge is blind would hold for any cache.
@Suite("The judge of the conformance rows")
struct JudgeTests {
    /// One step with what came of it.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var step: Step
        var received: String?
        var requests: [String] = []
        var before: Scenario.Content? = .init(status: 200, text: "old")
        var faults: Int
    }

    private static let hit =
        "HTTP/1.1 200 OK\r\nAge: 3\r\nETag: \"a\"\r\nCache-Status: Larder; hit; ttl=9\r\nContent-Length: 3\r\n\r\nold"
    private static let miss = "HTTP/1.1 200 OK\r\nCache-Status: Larder; fwd=uri-miss\r\nContent-Length: 3\r\n\r\nnew"
    private static let early =
        "HTTP/1.1 103 Early\r\nLink: </a>\r\n\r\n" + miss
    private static let short = "HTTP/1.1 200 OK\r\nCache-Status: Larder; fwd=uri-miss\r\nContent-Length: 9\r\n\r\nnew"
    private static let error = "HTTP/1.1 504 Gateway Timeout\r\nContent-Length: 0\r\n\r\n"
    private static let plain = "GET /c/t1 HTTP/1.1\r\nX-A: 1\r\n\r\n"
    private static let conditional = "GET /c/t1 HTTP/1.1\r\nIf-None-Match: \"a\"\r\n\r\n"
    private static let new = Answer.ok(body: "new")

    private static func hits(_ check: Check, faults: Int = 0) -> Case {
        Case(testDescription: "hit, \(check)", step: .get(.stored, check), received: hit, faults: faults)
    }

    private static func misses(_ check: Check, faults: Int = 0) -> Case {
        Case(
            testDescription: "miss, \(check)", step: .get(.asked(new), check), received: miss, requests: [plain],
            faults: faults)
    }

    private static let outcomes = [
        Case(testDescription: "stored", step: .get(.stored), received: hit, faults: 0),
        Case(testDescription: "stored, but asked", step: .get(.stored), received: hit, requests: [plain], faults: 1),
        Case(testDescription: "stored, but from the origin", step: .get(.stored), received: miss, faults: 3),
        Case(
            testDescription: "stored, other content", step: .get(.stored), received: hit,
            before: .init(status: 200, text: "x"), faults: 1),
        Case(
            testDescription: "stored, other status", step: .get(.stored), received: hit,
            before: .init(status: 404, text: "old"), faults: 1),
        Case(testDescription: "asked", step: .get(.asked(new)), received: miss, requests: [plain], faults: 0),
        Case(testDescription: "asked, but not", step: .get(.asked(new)), received: hit, faults: 3),
        Case(
            testDescription: "asked twice instead of once", step: .get(.asked(new)), received: miss,
            requests: [plain, plain], faults: 1),
        Case(
            testDescription: "asked again, but once only", step: .get(.askedAgain(.ok(), new)), received: miss,
            requests: [plain], faults: 1),
        Case(testDescription: "asked, no answer", step: .get(.asked(new)), received: nil, requests: [plain], faults: 1),
        Case(testDescription: "asked, cut off", step: .get(.asked(new)), received: short, requests: [plain], faults: 1),
        Case(testDescription: "cut off", step: .get(.cutOff(new)), received: short, requests: [plain], faults: 0),
        Case(
            testDescription: "cut off, but whole", step: .get(.cutOff(new)), received: miss, requests: [plain],
            faults: 1),
        Case(
            testDescription: "validated without a condition", step: .get(.validated(.notModified()), .body("new")),
            received: miss, requests: [plain], faults: 1),
        Case(
            testDescription: "validated", step: .get(.validated(.notModified()), .body("new")), received: miss,
            requests: [conditional], faults: 0),
        Case(testDescription: "refused", step: .get(.refused(504)), received: error, faults: 0),
        Case(testDescription: "refused, but served", step: .get(.refused(504)), received: hit, faults: 1),
        Case(
            testDescription: "failed", step: .get(.failed(.unreachable, 504)), received: error, requests: [plain],
            faults: 0),
        Case(testDescription: "failed, not asked", step: .get(.failed(.unreachable, 504)), received: error, faults: 1),
        Case(
            testDescription: "failed with another status", step: .get(.failed(.unreachable, 502)), received: error,
            requests: [plain], faults: 1),
        Case(
            testDescription: "stored, then asked: not asked", step: .get(.storedThenAsked(new)), received: hit,
            faults: 1),
        Case(
            testDescription: "stored after an error: not asked", step: .get(.storedAfter(new)), received: hit, faults: 1
        ),
    ]

    private static let checks = [
        hits(.field("Age: 3")), hits(.field("Age: 4"), faults: 1), hits(.field("X-A: 4"), faults: 1),
        hits(.fieldStarts("Cache-Status: Larder; hit")), hits(.fieldStarts("Cache-Status: Other"), faults: 1),
        hits(.has("ETag")), hits(.has("X-A"), faults: 1), hits(.no("X-A")), hits(.no("ETag"), faults: 1),
        hits(.isNot("Age: 4")), hits(.isNot("Age: 3"), faults: 1), hits(.body("new"), faults: 1),
        hits(.bodyIsNot("old"), faults: 1), hits(.bodyHolds("ol")), hits(.bodyHolds("x"), faults: 1),
        hits(.empty, faults: 1), hits(.anyBody), hits(.cacheStatus("ttl=9")), hits(.cacheStatus("ttl=8"), faults: 1),
        hits(.noCacheStatus("stored")), hits(.noCacheStatus("hit"), faults: 1), hits(.noInterim),
        hits(.interim(103, []), faults: 1), hits(.sent("X-A: 1"), faults: 1), misses(.sent("X-A: 1")),
        misses(.sent("X-A: 2"), faults: 1), misses(.sentStarts("X-A: 1")), misses(.sentStarts("X-A: 2"), faults: 1),
        misses(.isNotSent("X-A: 2")), misses(.isNotSent("X-A: 1"), faults: 1), misses(.sentHas("X-A")),
        misses(.sentHas("X-B"), faults: 1), misses(.sentNo("X-B")), misses(.sentNo("X-A"), faults: 1),
        misses(.sentTarget("")), misses(.sentTarget("/b"), faults: 1), misses(.sentBody("")),
        misses(.sentBody("x"), faults: 1), misses(.status(201), faults: 1),
        Case(
            testDescription: "interim fields", step: .get(.asked(new), .interim(103, ["Link: </a>"])), received: early,
            requests: [plain], faults: 0),
        Case(
            testDescription: "other interim fields", step: .get(.asked(new), .interim(103, [])), received: early,
            requests: [plain], faults: 1),
        Case(
            testDescription: "an interim response too many", step: .get(.asked(new), .noInterim), received: early,
            requests: [plain], faults: 1),
    ]

    @Test("says how many things are wrong", arguments: outcomes + checks)
    func judges(_ row: Case) throws {
        var received: Message?
        if let text = row.received {
            var reader = MessageReader(isResponse: true)
            received = reader.read(text.utf8) ?? reader.end()
        }
        let requests = row.requests.compactMap { text in
            var reader = MessageReader(isResponse: false)
            return reader.read(text.utf8)
        }
        #expect(requests.count == row.requests.count)
        let placeholders = Placeholders(
            start: WallInstant(unixSeconds: 0), origin: "http://127.0.0.1:1", path: "/c/t1")
        let verdict = Verdict(
            step: row.step, number: 1, received: received, requests: requests, before: row.before,
            placeholders: placeholders, token: "t1")
        #expect(verdict.faults.count == row.faults, "\(verdict.faults)")
    }
}
