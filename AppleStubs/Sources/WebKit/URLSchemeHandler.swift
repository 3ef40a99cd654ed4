import AppleFoundation

// s:6WebKit16URLSchemeHandlerP | iOS 26.0, macOS 26.0 | nonisolated | D
public protocol URLSchemeHandler {
    // identifier unknown | iOS 26.0, macOS 26.0 | nonisolated | S
    associatedtype TaskSequence: AsyncSequence<URLSchemeTaskResult, any Error>

    // identifier unknown | iOS 26.0, macOS 26.0 | nonisolated | S
    func reply(for request: URLRequest) -> TaskSequence
}

// At least one response before any data.
// identifier unknown | iOS 26.0, macOS 26.0 | Sendable | D
public enum URLSchemeTaskResult: Sendable {
    // identifier unknown | iOS 26.0, macOS 26.0 | Sendable | S
    case response(URLResponse)
    // identifier unknown | iOS 26.0, macOS 26.0 | Sendable | S
    case data(Data)
}

// identifier unknown | iOS 26.0, macOS 26.0 | Sendable | S
public struct URLScheme: Hashable, Sendable {
    // identifier unknown | iOS 26.0, macOS 26.0 | Sendable | S
    public let rawValue: String

    // `nil` for what is no scheme, and for WebKit's own.
    // identifier unknown | iOS 26.0, macOS 26.0 | MainActor | S
    @MainActor
    public init?(_ rawValue: String) {
        guard let first = rawValue.first, first.isASCII, first.isLetter, !WKWebView.handlesURLScheme(rawValue) else {
            return nil
        }
        self.rawValue = rawValue
    }
}
