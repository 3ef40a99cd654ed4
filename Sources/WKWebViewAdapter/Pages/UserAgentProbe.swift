#if canImport(WebKit)
import CacheEngine
import Foundation
import WebKit

/// Finds web views' `User-Agent` (RFC 9110 §10.1.5), which WebKit keeps from scheme handlers.
@MainActor
enum UserAgentProbe {
    /// Longer than the first process of web views takes to start.
    static let limit = Duration.seconds(2)

    /// The `User-Agent` of web views that are made with a configuration; `nil` where none says it in time.
    static func userAgent(of configuration: WKWebViewConfiguration, clock: EngineClock) async -> String? {
        let view = WKWebView(frame: .zero, configuration: configuration)
        let answer = FirstAnswer<String?>()
        view.callAsyncJavaScript("return navigator.userAgent", in: nil, in: .defaultClient) { result in
            answer.give((try? result.get()) as? String)
        }
        let timer = Task {
            try? await clock.sleep(limit)
            answer.give(nil)
        }
        let text = await answer.value
        timer.cancel()
        // Without the view nobody would answer.
        withExtendedLifetime(view) {}
        return text.flatMap { $0.isEmpty ? nil : $0 }
    }
}
#endif
