import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import Interception

@Suite("Request bodies that page scripts hand over")
struct RequestBodyPartsTests {
    private let start = WallInstant(unixSeconds: 1_000)
    private let target = RequestBodyTarget(method: "POST", url: "https://shop.test/upload#top")
    private let other = RequestBodyTarget(method: "POST", url: "https://evil.test/")
    private let identity = "0123456789abcdef"
    private let bytes = RequestBodyMessage.Kind.bytes(contentType: "text/plain")

    private func parts(_ limits: RequestBodyParts.Limits = .init()) -> RequestBodyParts {
        RequestBodyParts(limits: limits, random: SplitMix64(seed: 1))
    }

    private func id(_ number: Int) -> String { "0123456789abcdef-\(number)" }

    private var complete: RequestBodyOutcome {
        .complete(FlattenedBody(pieces: [[1], [2, 3]], contentType: "text/plain"))
    }

    private var messages: [RequestBodyMessage] {
        [.begin(target, bytes), .chunk(number: 0, [1]), .chunk(number: 1, [2, 3]), .chunk(number: 2, []), .end]
    }

    @Test("the task may come before, between and after the messages; the body is given once", arguments: 0...5)
    func anyOrder(_ place: Int) {
        var parts = parts()
        var outcomes: [RequestBodyOutcome] = []
        for (number, message) in messages.enumerated() {
            if number == place { outcomes.append(parts.claim(identity, for: target, at: start)) }
            outcomes.append(parts.receive(message, for: identity, at: start))
        }
        if place == 5 { outcomes.append(parts.claim(identity, for: target, at: start)) }
        #expect(outcomes.dropLast().allSatisfy { $0 == .waiting })
        #expect(outcomes.last == complete)
        #expect(parts.openBodies == 0 && parts.keptBytes == .zero)
        #expect(parts.receive(.end, for: identity, at: start) == .refused(.unknownIdentity))
        #expect(parts.claim(identity, for: target, at: start) == .waiting, "never the same body again")
    }

    @Test("a form becomes multipart/form-data, entry by entry")
    func form() {
        var parts = parts()
        _ = parts.receive(.begin(target, .form), for: identity, at: start)
        for (number, name) in ["a", "b"].enumerated() {
            _ = parts.receive(.entry(FormEntry(name: name)), for: identity, at: start)
            _ = parts.receive(.chunk(number: number, Array("value".utf8)), for: identity, at: start)
        }
        _ = parts.receive(.end, for: identity, at: start)
        guard case .complete(let body) = parts.claim(identity, for: target, at: start) else {
            Issue.record("not complete")
            return
        }
        #expect(body.contentType?.hasPrefix("multipart/form-data; boundary=----FormBoundary") == true)
        #expect(body.length == Int64(body.pieces.joined().count))
    }

    @Test("a request to elsewhere does not get the body, and does not use it up")
    func otherRequest() {
        var parts = parts()
        for message in messages { _ = parts.receive(message, for: identity, at: start) }
        for target in [other, RequestBodyTarget(method: "PUT", url: "https://shop.test/upload")] {
            #expect(parts.claim(identity, for: target, at: start) == .refused(.otherRequest))
        }
        #expect(parts.claim(identity, for: target, at: start) == complete)

        _ = parts.claim(identity, for: other, at: start)
        #expect(parts.receive(messages[0], for: identity, at: start) == .refused(.otherRequest))
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var messages: [RequestBodyMessage]
        var outcome: RequestBodyOutcome
    }

    private static let begin = RequestBodyMessage.begin(
        RequestBodyTarget(method: "POST", url: "https://shop.test/"), .bytes(contentType: nil))
    private static let beginForm = RequestBodyMessage.begin(
        RequestBodyTarget(method: "POST", url: "https://shop.test/"), .form)

    @Test(
        "messages in a wrong order",
        arguments: [
            Row(
                testDescription: "no beginning", messages: [.chunk(number: 0, [1])], outcome: .refused(.unknownIdentity)
            ),
            Row(testDescription: "two beginnings", messages: [begin, begin], outcome: .refused(.alreadyBegun)),
            Row(
                testDescription: "a gap", messages: [begin, .chunk(number: 1, [1])], outcome: .dropped(.outOfOrder)),
            Row(
                testDescription: "a chunk again", messages: [begin, .chunk(number: 0, [1]), .chunk(number: 0, [1])],
                outcome: .dropped(.outOfOrder)),
            Row(
                testDescription: "a number at the end of its range", messages: [begin, .chunk(number: .min, [1])],
                outcome: .dropped(.outOfOrder)),
            Row(
                testDescription: "a chunk of no entry", messages: [beginForm, .chunk(number: 0, [1])],
                outcome: .dropped(.outOfOrder)),
            Row(
                testDescription: "an entry of no form", messages: [begin, .entry(FormEntry(name: "a"))],
                outcome: .dropped(.outOfOrder)),
            Row(testDescription: "two ends", messages: [begin, .end, .end], outcome: .refused(.alreadyComplete)),
            Row(
                testDescription: "more after the end", messages: [begin, .end, .chunk(number: 0, [1])],
                outcome: .refused(.alreadyComplete)),
        ])
    func wrongOrder(_ row: Row) {
        var parts = parts()
        let outcomes = row.messages.map { parts.receive($0, for: identity, at: start) }
        #expect(outcomes.last == row.outcome)
        #expect(outcomes.dropLast().allSatisfy { $0 == .waiting })
        if case .dropped = row.outcome { #expect(parts.openBodies == 0 && parts.keptBytes == .zero) }
    }

    @Test(
        "identities are long and plain",
        arguments: ["", "short", "0123456789abcdef, x", "0123456789abcde\r\n", "ä123456789abcdef"])
    func identities(_ text: String) {
        var parts = parts()
        #expect(parts.receive(messages[0], for: text, at: start) == .refused(.invalidIdentity))
        #expect(parts.claim(text, for: target, at: start) == .refused(.invalidIdentity))
        #expect(parts.claim(String(repeating: "a", count: 65), for: target, at: start) == .refused(.invalidIdentity))
    }

    @Test("the identity is taken off the request, and two of them are none")
    func identityField() {
        var fields: HTTPFields = [.accept: "*/*"]
        #expect(RequestBodyParts.takeIdentity(from: &fields) == nil)
        for name in ["X-Larder-Body", "x-larder-body"].compactMap({ HTTPField.Name($0) }) {
            fields.append(HTTPField(name: name, value: identity))
        }
        var parts = parts()
        let taken = RequestBodyParts.takeIdentity(from: &fields)
        #expect(parts.claim(taken ?? "", for: target, at: start) == .refused(.invalidIdentity))
        #expect(fields == [.accept: "*/*"])
    }

    @Test("all bodies together stay below the limit, and tiny chunks count for what they cost")
    func total() {
        var parts = parts(.init(total: .kibibytes(10)))
        _ = parts.receive(messages[0], for: id(0), at: start)
        _ = parts.receive(messages[0], for: id(1), at: start)
        _ = parts.claim(id(1), for: target, at: start)
        let piece = [UInt8](repeating: 1, count: 6_000)
        #expect(parts.receive(.chunk(number: 0, piece), for: id(0), at: start) == .waiting)
        #expect(parts.receive(.chunk(number: 0, piece), for: id(1), at: start) == .dropped(.tooLarge))
        #expect(parts.expire(at: start + .seconds(999)).isEmpty, "the drop has told the task already")

        _ = parts.receive(messages[0], for: id(2), at: start)
        var chunks = 0
        while parts.receive(.chunk(number: chunks, [1]), for: id(2), at: start) == .waiting { chunks += 1 }
        #expect(chunks < 10_240 / 64)

        _ = parts.receive(Self.beginForm, for: id(3), at: start)
        var entries = 0
        while parts.receive(.entry(FormEntry(name: "")), for: id(3), at: start) == .waiting { entries += 1 }
        #expect(entries == 10_240 / 64)
    }

    @Test("no more bodies, tasks and entries than the limits say")
    func counts() {
        var parts = parts(.init(open: 2, entries: 3))
        for number in 0..<2 {
            #expect(parts.receive(Self.beginForm, for: id(number), at: start) == .waiting)
            #expect(parts.claim(id(10 + number), for: target, at: start) == .waiting)
        }
        #expect(parts.receive(Self.beginForm, for: id(2), at: start) == .refused(.tooManyBodies))
        #expect(parts.claim(id(12), for: target, at: start) == .refused(.tooManyBodies))
        #expect(parts.claim(id(10), for: target, at: start) == .refused(.alreadyClaimed))
        for _ in 0..<3 { #expect(parts.receive(.entry(FormEntry(name: "a")), for: id(0), at: start) == .waiting) }
        #expect(parts.receive(.entry(FormEntry(name: "a")), for: id(0), at: start) == .dropped(.tooLarge))
        parts.drop(id(1))
        parts.drop(id(10))
        #expect(parts.openBodies == 0)
        #expect(parts.claim(id(12), for: target, at: start) == .waiting)
    }

    @Test("a page load drops everything, and names the tasks that wait")
    func pageLoad() {
        var parts = parts()
        for message in messages { _ = parts.receive(message, for: id(0), at: start) }
        _ = parts.claim(id(1), for: target, at: start)
        #expect(parts.pageLoaded() == [id(1)])
        #expect(parts.openBodies == 0)
        #expect(parts.claim(id(0), for: target, at: start) == .waiting)
        #expect(parts.receive(.end, for: id(0), at: start) == .refused(.unknownIdentity))
    }

    @Test("a body or a task that nothing comes for is dropped after its time, not before")
    func time() {
        var parts = parts(.init(time: .seconds(60)))
        _ = parts.claim(id(0), for: target, at: start)
        _ = parts.receive(messages[0], for: id(1), at: start)
        _ = parts.claim(id(1), for: target, at: start + .seconds(30))
        _ = parts.receive(messages[0], for: id(2), at: start)
        _ = parts.claim(id(2), for: target, at: start)
        #expect(parts.expire(at: start + .seconds(59)).isEmpty)
        // Each message gives the body more time, and with it its task.
        _ = parts.receive(messages[1], for: id(2), at: start + .seconds(59))
        #expect(parts.expire(at: start + .seconds(60)) == [id(0), id(1)])
        #expect(parts.openBodies == 1)
        #expect(parts.expire(at: start + .seconds(119)) == [id(2)])
        #expect(parts.openBodies == 0)
        #expect(parts.expire(at: WallInstant(unixSeconds: 0)).isEmpty, "a clock that was set back")
    }
}
