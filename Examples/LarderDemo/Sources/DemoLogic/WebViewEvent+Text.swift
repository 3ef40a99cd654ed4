#if canImport(WebKit)
import LarderKit

extension WebViewEvent {
    /// In one line, for the list of events.
    public var text: String {
        switch self {
        case .modeChanged(let mode): "now \(mode.text)"
        case .showsNothing(_, _, let again): again ? "the page shows nothing again" : "the page shows nothing"
        case .processEnded(let reloaded): reloaded ? "the process ended; reloaded" : "the process ended again"
        case .wentPast(_, let requests): "\(requests) requests went past Larder"
        case .openedExternal(let url): "opened in another app: \(url.absoluteString)"
        case .refused(let url, let reason): "refused \(url?.absoluteString ?? "a navigation"): \(reason)"
        case .download: "a download began, and this app takes none"
        }
    }
}
#endif
