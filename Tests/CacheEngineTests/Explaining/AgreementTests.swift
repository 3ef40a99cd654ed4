import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine
@testable import Fetching

/// Random stored responses, rules and requests; one decision is asked in every way in which a user can ask for it.
@Suite("What is said of a request is what it gets", .timeLimit(.minutes(5)))
struct AgreementTests {
    private static let controls = [
        nil, "max-age=60", "max-age=600", "no-cache", "max-age=60, must-revalidate", "max-age=0, stale-if-error=600",
        "max-age=60, stale-while-revalidate=600", "private", "max-age=60, immutable",
    ]
    private static let varies = [nil, nil, "Accept-Language", "Cookie", "Accept-Language, Accept", "*"]
    private static let verdicts: [Verdict] = [
        .followProtocol, .followProtocol, .cacheFirst, .staleWhileRevalidate(for: nil), .revalidate, .reload(.local),
        .fresh(for: .seconds(300)), .permanent, .onlyIfStored, .networkFirst(timeout: nil),
        .staleIfError(for: .seconds(600)),
        .bypass,
    ]

    private static func request(_ random: inout SplitMix64, _ connectivity: Connectivity) -> EngineRequest {
        // All fields that `Vary` may name, so that nothing is taken from a variant.
        let fields: HTTPFields = [
            .acceptLanguage: Self.pick(["de", "en"], &random), .accept: Self.pick(["*/*", "text/html"], &random),
            .cookie: Self.pick(["a=1", "a=2", "b=1"], &random),
            .acceptEncoding: Self.pick(["gzip", "identity"], &random),
        ]
        let modes: [CacheMode] = [
            .protocolDefault, .protocolDefault, .preferStored, .onlyIfStored, .revalidate, .reload,
        ]
        var context = ExchangeContext(connectivity: connectivity)
        context.mode = Self.pick(modes, &random)
        let head = HTTPRequest(
            method: .get, scheme: "https", authority: "example.com", path: Self.pick(["/a", "/a?x=1"], &random),
            headerFields: fields)
        return EngineRequest(head: head, context: context)
    }

    private static func response(_ random: inout SplitMix64, _ now: WallInstant) -> HTTPResponse {
        var fields = HTTPFields()
        fields[.cacheControl] = Self.pick(controls, &random)
        fields[.vary] = Self.pick(varies, &random)
        if Self.chance(50, &random) { fields[.eTag] = "\"1\"" }
        if Self.chance(10, &random) { fields[.contentEncoding] = "gzip" }
        if Self.chance(20, &random) { fields[.lastModified] = HTTPDate.print(now + .seconds(-1_000_000)) }
        if Self.chance(20, &random) { fields[.noVarySearch] = "params" }
        return HTTPResponse(
            status: .init(code: Self.pick([200, 200, 200, 203, 301, 404], &random)), headerFields: fields)
    }

    private static func pick<Choice>(_ choices: [Choice], _ random: inout SplitMix64) -> Choice {
        choices[Int.random(in: choices.indices, using: &random)]
    }

    private static func chance(_ percent: Int, _ random: inout SplitMix64) -> Bool {
        Int.random(in: 0..<100, using: &random) < percent
    }

    /// The network and the server that the request meets.
    private enum Origin: CaseIterable {
        case offline, down, confirms, hasAnother
    }

    @Test("explain, isAvailableOffline and the answer, in 2,000 random cases")
    func agreement() async throws {
        var answers: [Explanation.Answer: Int] = [:]
        for seed in 0..<2_000 as Range<UInt64> {
            var random = SplitMix64(seed: seed)
            let verdict = Self.pick(Self.verdicts, &random)
            let origin = Self.pick([.offline, .offline] + Origin.allCases, &random)
            let bench = try Bench(rules: RuleList([Rule("all", verdict)]))
            for path in ["/a", "/a?x=1"] {
                bench.transport.on(Bench.base + path) { request in
                    if origin == .down { throw TransportError(code: .connectionFailed, message: "Nothing answers.") }
                    let isAsked = ConditionalRequest.isConditional(request.head.headerFields)
                    return origin == .confirms && isAsked
                        ? ScriptedTransport.answer(304) : ScriptedTransport.answer(200, [:], body: "new")
                }
            }
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                let brought = Self.request(&random, .connected)
                try? await bench.cache.store(
                    Self.response(&random, bench.clock.now), content: [0x78], for: brought)
                bench.clock.advance(by: .seconds(Int64(Self.pick([0, 1, 59, 60, 61, 700], &random))))
            }
            let request = Self.request(&random, origin == .offline ? .disconnected : .connected)
            let said = await bench.cache.explain(request, originIsDown: origin == .down)
            let stored = await bench.cache.storedAnswer(toVariantsOf: request)
            let isAvailable = await bench.cache.isAvailableOffline(request)
            #expect(bench.transport.requests.isEmpty, "seed \(seed): nothing is sent for what is only said")
            let answer = await bench.cache.respond(to: request)
            answer.body.discard()
            await bench.cache.waitForCommits()
            let outcome = bench.recorder.reports.first { !$0.isBackground }?.outcome
            let expected: Set<ExchangeReport.Outcome> =
                switch said.answer {
                case .stored: [.hit]
                case .stale, .staleWhileRevalidating: [.staleHit]
                case .validated where origin == .confirms: [.validated]
                case .forwarded where origin == .confirms: [.stored, .forwarded, .validated]
                case .validated, .completed, .forwarded: [.stored, .forwarded]
                case .failed: [.failed]
                }
            #expect(
                outcome.map(expected.contains) == true, "seed \(seed), \(origin): \(said.summary), \(outcome as Any)")
            if said.answer == .failed, origin == .offline {
                #expect(answer.failure?.message.hasPrefix(said.summary) == true, "seed \(seed)")
            }
            let isServed = [.hit, .staleHit].contains(outcome)
            if origin != .down { #expect(isServed == (stored != nil), "seed \(seed), \(said.summary)") }
            if origin == .offline {
                let isSuccess = answer.failure == nil && answer.head.status.kind == .successful
                #expect(isAvailable == isSuccess, "seed \(seed), \(said.summary)")
                #expect(bench.transport.requests.isEmpty)
            }
            answers[said.answer, default: 0] += 1
            await bench.cache.waitForBackgroundWork()
        }
        for answer in Explanation.Answer.allCases where answer != .completed {
            #expect(answers[answer, default: 0] > 10, "\(answers)")
        }
    }
}
