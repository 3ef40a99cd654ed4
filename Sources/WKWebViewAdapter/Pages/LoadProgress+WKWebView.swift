#if canImport(WebKit)
import Foundation
import ViewCare
import WebKit

extension WKWebView {
    /// How far the load is: now, and after each change. Ends when the reader stops, and keeps the web view no longer
    /// than that; a slow reader gets the last state only.
    public var loadProgress: AsyncStream<LoadProgress> {
        let (stream, continuation) = AsyncStream.makeStream(of: LoadProgress.self, bufferingPolicy: .bufferingNewest(1))
        // WebKit changes these on the main thread, and observers are told there.
        let tell: @Sendable () -> Void = { [weak self] in
            MainActor.assumeIsolated {
                guard let self else { return }
                continuation.yield(
                    LoadProgress(
                        fraction: self.estimatedProgress, isLoading: self.isLoading, url: self.url?.absoluteString,
                        title: self.title))
            }
        }
        let observations = ObservationBag([
            observe(\.estimatedProgress, options: [.initial]) { _, _ in tell() },
            observe(\.isLoading) { _, _ in tell() },
            observe(\.url) { _, _ in tell() },
            observe(\.title) { _, _ in tell() },
        ])
        continuation.onTermination = { _ in
            Task { @MainActor in observations.end() }
        }
        return stream
    }
}

/// The observations of one stream.
@MainActor
private final class ObservationBag {
    private var observations: [NSKeyValueObservation]

    init(_ observations: [NSKeyValueObservation]) { self.observations = observations }

    func end() {
        for observation in observations { observation.invalidate() }
        observations = []
    }
}
#endif
