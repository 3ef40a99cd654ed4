// The lines of docs/guides/reports.md.
import LarderKit
import SwiftUI
import WebKit

func line(_ report: ExchangeReport) -> String {
    let parts: [String?] = [
        "\(report.status) \(report.outcome.rawValue)", "\(report.bodyBytes) B",
        "\(Int64(report.duration / .milliseconds(1))) ms", report.rule.map { "rule \($0)" },
        report.notStored.map { "not stored: \($0.rawValue)" }, report.storeFailure.map { "not stored: \($0.description)" },
        report.isBackground ? "in the background" : nil,
        report.isPreload ? "ahead of need" : nil, report.isComplete ? nil : "broken off",
        report.cacheStatus.description, report.visit.map { "\(report.view), visit \($0)" } ?? report.view, report.uri,
    ]
    return parts.compactMap { $0 }.joined(separator: "\t")
}

func follow(_ larder: Larder) async {
    for await report in larder.events { print(line(report)) }
}

// The same for docs/guides/install.md.
func followPages(_ larder: Larder) async {
    for await report in larder.events where report.bringsNewerPage { print("a newer page: \(report.uri)") }
}

@MainActor
func visit(_ url: URL, in webView: WKWebView, _ larder: Larder) async throws -> [ExchangeReport] {
    let events = larder.events  // reports of what begins from here on
    larder.load(url, in: webView)
    let reading = Task {
        var found: [ExchangeReport] = []
        for await report in events { found.append(report) }
        return found
    }
    try await Task.sleep(for: .seconds(10))
    reading.cancel()
    let name = larder.name(of: webView)
    return await reading.value.filter { $0.view == name || $0.view == "web views" }
}

@MainActor
final class RequestLog: ObservableObject {
    @Published private(set) var lines: [String] = []
    private var following: Task<Void, Never>?

    init(_ larder: Larder) {
        let events = larder.events  // reports of what begins from here on
        following = Task { [weak self] in
            for await report in events { self?.add(line(report)) }
        }
    }

    deinit { following?.cancel() }

    private func add(_ line: String) { lines = Array(([line] + lines).prefix(500)) }
}

struct RequestScreen: View {
    @ObservedObject var log: RequestLog

    var body: some View {
        List {
            ForEach(Array(log.lines.enumerated()), id: \.offset) { Text($0.element) }
        }
    }
}

func whyNot(_ url: URL, _ larder: Larder) async throws {
    let (_, response) = try await larder.data(from: url)
    print(response.value(forHTTPHeaderField: "Cache-Status") ?? "")
    print(try await larder.isAvailableOffline(url), larder.connectivity, larder.account ?? "nobody")
    print(try larder.rules.json())  // for --rules of the tool
}

/// One visit, for an app's own metrics.
struct VisitNumbers {
    var requests = 0, stored = 0
    var bytes: Int64 = 0, fromServer: Int64 = 0

    mutating func add(_ report: ExchangeReport) {
        requests += 1
        if report.cacheStatus.isHit { stored += 1 }
        bytes += report.bodyBytes
        fromServer += report.originBytes
    }
}

/// Milliseconds from the start of the navigation; 0 for what has not come.
@MainActor
func times(in webView: WKWebView) async -> (paint: Double, load: Double) {
    let script = """
        const paint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0;
        return [paint, performance.getEntriesByType('navigation')[0]?.loadEventStart ?? 0];
        """
    let answer = try? await webView.callAsyncJavaScript(script, contentWorld: .defaultClient) as? [Double]
    return (answer?.first ?? 0, answer?.last ?? 0)
}
