import CacheTesting
import Testing

@testable import ViewCare

@Suite("A page that the proxy keeps away")
struct LoadFallbackTests {
    private let lost = LoadFallback.Failure(domain: "NSURLErrorDomain", code: -1_200)

    @Test("is loaded once past it; if it comes, the proxy stays off")
    func proxyAtFault() {
        var fallback = LoadFallback()
        let answer1 = fallback.failed("https://a.test/", lost, wasForm: false)
        #expect(answer1)
        let told2 = fallback.committed(at: .zero)
        #expect(told2)
        let told3 = fallback.committed(at: .zero)
        #expect(!told3)
        let answer4 = fallback.failed("https://a.test/b", lost, wasForm: false)
        #expect(!answer4)
    }

    @Test("if it does not come, the proxy is used again, and the next page is another case")
    func siteAtFault() {
        var fallback = LoadFallback()
        let answer5 = fallback.failed("https://a.test/", lost, wasForm: false)
        #expect(answer5)
        let answer6 = fallback.failed("https://a.test/", lost, wasForm: false)
        #expect(!answer6)
        let told7 = fallback.committed(at: .zero)
        #expect(!told7)
        let answer8 = fallback.failed("https://b.test/", lost, wasForm: false)
        #expect(answer8)
    }

    @Test(
        "a load that timed out, was refused or was lost, and came past the proxy, does not turn it off, two in a row do",
        arguments: [-1_001, -1_004, -1_005])
    func passing(_ code: Int) {
        let late = LoadFallback.Failure(domain: "NSURLErrorDomain", code: code)
        for goesWellBetween in [true, false] {
            var fallback = LoadFallback()
            for turn in 0..<2 {
                let loadsAgain = fallback.failed("https://a.test/", late, wasForm: false)
                #expect(loadsAgain)
                let isProxyAtFault = fallback.committed(at: .zero)
                #expect(isProxyAtFault == (turn == 1 && !goesWellBetween))
                #expect(fallback.usesProxy != isProxyAtFault)
                let through = goesWellBetween ? fallback.committed(at: .zero) : false
                #expect(!through)
            }
        }
    }

    @Test(
        "what a load past the proxy would not mend is the app's to show",
        arguments: [
            ("NSURLErrorDomain", -999, false), ("NSURLErrorDomain", -1_009, false), ("WebKitErrorDomain", 102, false),
            ("WebKitErrorDomain", 204, false), ("NSURLErrorDomain", -1_200, true),
        ])
    func notOurs(_ row: (domain: String, code: Int, wasForm: Bool)) {
        var fallback = LoadFallback()
        let failure = LoadFallback.Failure(domain: row.domain, code: row.code)
        let answer9 = fallback.failed("https://a.test/", failure, wasForm: row.wasForm)
        #expect(!answer9)
        let answer10 = fallback.failed(nil, lost, wasForm: false)
        #expect(!answer10)
    }

    @Test(
        "100,000 orders: two loads past the proxy never follow each other, and it is given up only after one that came")
    func orders() {
        for seed in 0..<100_000 as Range<UInt64> {
            var random = SplitMix64(seed: seed)
            var fallback = LoadFallback()
            var (isTrying, hasGivenUp) = (false, false)
            for _ in 0..<12 {
                if Int.random(in: 0..<3, using: &random) == 0 {
                    let gaveUp = fallback.committed(at: .zero)
                    if gaveUp != isTrying { return #expect(Bool(false), "seed \(seed)") }
                    if gaveUp { (isTrying, hasGivenUp) = (false, true) }
                } else {
                    let loadsAgain = fallback.failed("u", lost, wasForm: Bool.random(using: &random))
                    if loadsAgain, isTrying || hasGivenUp {
                        return #expect(Bool(false), "seed \(seed)")
                    }
                    isTrying = loadsAgain
                }
            }
        }
    }
}

@Suite("Loads that are one navigation to the app")
struct NavigationContinuationTests {
    @Test("a redirect begins as one, and the load before fails unseen, whichever comes first")
    func redirect() {
        for failsFirst in [true, false] {
            var continuation = NavigationContinuation()
            let start11 = continuation.started()
            #expect(start11 == .new)
            continuation.redirected()
            if failsFirst {
                let answer12 = continuation.failed(isCancelled: true)
                #expect(answer12)
            }
            let start13 = continuation.started()
            #expect(start13 == .redirect)
            if !failsFirst {
                let answer14 = continuation.failed(isCancelled: true)
                #expect(answer14)
            }
            let answer15 = continuation.failed(isCancelled: true)
            #expect(!answer15)
            let start16 = continuation.started()
            #expect(start16 == .new)
        }
    }

    @Test("another failure is told, and so is a cancellation after the document has come")
    func failures() {
        var continuation = NavigationContinuation()
        continuation.redirected()
        let answer17 = continuation.failed(isCancelled: false)
        #expect(!answer17)
        continuation.committed()
        let answer18 = continuation.failed(isCancelled: true)
        #expect(!answer18)
        let start19 = continuation.started()
        #expect(start19 == .new)
    }

    @Test("a load that is tried again begins unseen")
    func retry() {
        var continuation = NavigationContinuation()
        continuation.retried()
        let start20 = continuation.started()
        #expect(start20 == .retry)
        let start21 = continuation.started()
        #expect(start21 == .new)
        let answer22 = continuation.failed(isCancelled: true)
        #expect(!answer22)
    }
}
