import Dashboard
import Foundation
import Testing

/// Reports to render: a usual one, and ones that try to break the page.
enum SampleReport: String, CaseIterable, CustomTestStringConvertible {
    case usual, hostileEverywhere, damaged, empty

    var testDescription: String { rawValue }

    var report: VisitReport {
        switch self {
        case .usual: Self.usualReport
        case .hostileEverywhere: Self.hostileReport
        case .damaged: Self.damagedReport
        case .empty: VisitReport(title: "", url: "", conditions: [], checks: [], visits: [])
        }
    }

    static let hostile =
        "\"'><script>alert(1)</script><img src=https://evil.test/x onerror=alert(2)>&\u{202E}\u{1B}[31m"

    static func row(
        _ url: String = "https://shop.test/a.js", outcome: String = "hit", start: Double = 0, timeToHead: Double = 1,
        duration: Double = 2, bytes: Int64 = 100, cacheStatus: String = "Larder; hit; ttl=60"
    ) -> ExchangeRow {
        ExchangeRow(
            url: url, method: "GET", destination: "script", status: 200, outcome: outcome, start: start,
            timeToHead: timeToHead, duration: duration, bytes: bytes, cacheStatus: cacheStatus)
    }

    /// Cold, warm and offline; the offline control never loads.
    private static let usualReport = VisitReport(
        title: "A small shop", url: "https://shop.test/", conditions: ["60 ms round trip", "12 Mbit/s"],
        checks: [
            .init(statement: "Offline, the page looks as it did online", holds: true, evidence: "0 pixels differ"),
            .init(statement: "Nothing failed", holds: false, evidence: "1 request failed"),
        ],
        visits: [
            VisitRecord(
                name: "cold", usesLarder: true, explanation: "Everything comes from the origin.",
                firstContentfulPaint: 612, loadEvent: 1521, requests: 3, originBytes: 1_220_000, originConnections: 12,
                outcomes: ["stored": 2, "forwarded": 1], screenshot: png(width: 390, height: 844),
                rows: [
                    row("https://shop.test/", outcome: "stored", timeToHead: 190, duration: 196),
                    row(outcome: "stored", start: 200, timeToHead: 64, duration: 300),
                    row("https://cdn.test/api", outcome: "forwarded", start: 900, timeToHead: 64, duration: 66),
                ]),
            VisitRecord(
                name: "cold", usesLarder: false, explanation: "Every connection is tunnelled unread.",
                firstContentfulPaint: 598, loadEvent: 1431, requests: 3, originBytes: 1_220_000, originConnections: 12,
                screenshot: png(width: 390, height: 844)),
            VisitRecord(
                name: "warm", usesLarder: true, explanation: "The page is validated, all else is fresh.",
                firstContentfulPaint: 214, loadEvent: 338, requests: 3, originBytes: 412, originConnections: 1,
                outcomes: ["hit": 2, "validated": 1], rows: [row(), row(outcome: "validated", start: 3)]),
            VisitRecord(
                name: "offline", usesLarder: true, explanation: "Stored responses are served stale.",
                firstContentfulPaint: 141, loadEvent: 287, requests: 3, originConnections: 0,
                outcomes: ["stale-hit": 3], rows: [row(outcome: "stale-hit")]),
            VisitRecord(name: "offline", usesLarder: false, explanation: "Nothing is shown.", failures: 1),
        ])

    /// The hostile text in every field that a page, an origin or a caller can fill.
    private static let hostileReport: VisitReport = {
        var row = Self.row(hostile, outcome: hostile, cacheStatus: hostile)
        row.method = hostile
        row.destination = hostile
        row.breaksHashedName = true
        let visits = [true, false].map { usesLarder in
            VisitRecord(
                name: hostile, usesLarder: usesLarder, explanation: hostile, firstContentfulPaint: .nan,
                loadEvent: .infinity, requests: -1, originBytes: .min, originConnections: -1, outcomes: [hostile: 1],
                failures: 1, screenshot: hostile, rows: [row])
        }
        return VisitReport(
            title: hostile, url: "javascript:" + hostile, conditions: [hostile],
            checks: [.init(statement: hostile, holds: false, evidence: hostile)], visits: visits)
    }()

    /// Figures that no visit has, and 300 rows of them.
    private static let damagedReport = VisitReport(
        title: "Damaged", url: "", conditions: [], checks: [],
        visits: [
            VisitRecord(
                name: "many", usesLarder: true, explanation: "", outcomes: ["hit": .max],
                rows: (0..<300).map { index in
                    let figures = [0, -1, .nan, .infinity, 1e300, Double(index)]
                    let url =
                        index == 7 ? "data:text/css," + String(repeating: "a", count: 100_000) : "https://\(index)"
                    return row(
                        url, start: figures[index % 6], timeToHead: figures[index / 6 % 6],
                        duration: figures[index / 36 % 6], bytes: index == 9 ? .max : .min)
                })
        ])

    /// The first 33 bytes of a PNG, enough to be recognised.
    static func png(width: Int, height: Int) -> String {
        let size = [width, height].flatMap { number in [24, 16, 8, 0].map { UInt8(number >> $0 & 0xFF) } }
        let head: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
        return Data(head + Array("IHDR".utf8) + size + [8, 2, 0, 0, 0, 0, 0, 0, 0]).base64EncodedString()
    }
}
