import HTTPCacheSemantics
import Testing

/// One cell of the matrix: a kind of cache, a kind of proxy, and how many requests are under way at once.
struct Cell: Sendable, CustomTestStringConvertible {
    enum Mode: String, Sendable, CaseIterable {
        case reverse, forward
    }

    var kind: CacheKind
    var mode: Mode
    var concurrency: Int

    static let all = CacheKind.allCases.flatMap { kind in
        Mode.allCases.flatMap { mode in
            [1, 25, 400].map { Cell(kind: kind, mode: mode, concurrency: $0) }
        }
    }

    var testDescription: String { "\(kind.rawValue), \(mode.rawValue), \(concurrency) at once" }
}
