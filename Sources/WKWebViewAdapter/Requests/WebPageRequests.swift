#if canImport(WebKit)
import Foundation
import HTTPTypes
import Interception
import WebKit

/// Answers the requests of a `WebPage` (iOS 26, macOS 26) at the app-cache scheme.
///
/// Type-checked and driven with stand-ins; not yet run on a device.
@available(iOS 26.0, macOS 26.0, *)
public struct WebPageRequests: URLSchemeHandler {
    private let requests: ViewRequests

    @MainActor
    init(_ requests: ViewRequests) { self.requests = requests }

    /// A navigation that the page's navigation decider has allowed. A `WebPage` tells a handler of none, and without it a
    /// request for a document looks like one of a script.
    @MainActor
    public func announce(_ action: WebPage.NavigationAction) {
        guard let url = action.request.url, let target = action.target else { return }
        requests.navigations.add(url.absoluteString, isTopLevel: target.isMainFrame)
    }

    public func reply(for request: URLRequest) -> Reply { Reply(requests: requests, request: request) }

    /// The answer to one request, read from the cache or the network as the page takes it.
    public struct Reply: AsyncSequence, Sendable {
        let requests: ViewRequests
        let request: URLRequest

        public func makeAsyncIterator() -> Iterator { Iterator(requests: requests, request: request) }

        /// One reading; the load is stopped when it is given up.
        public struct Iterator: AsyncIteratorProtocol {
            let requests: ViewRequests
            let request: URLRequest
            private var load: Load?

            init(requests: ViewRequests, request: URLRequest) {
                self.requests = requests
                self.request = request
            }

            /// - Throws: An error of `NSURLErrorDomain`, or `CancellationError`.
            public mutating func next() async throws -> URLSchemeTaskResult? {
                let load: Load
                if let begun = self.load {
                    load = begun
                } else {
                    load = await Load(requests, request)
                    self.load = load
                }
                return try await load.part()
            }
        }
    }

    @MainActor
    private final class Load {
        private let task: PulledSchemeTask
        private let url: URL?

        init(_ requests: ViewRequests, _ request: URLRequest) {
            task = PulledSchemeTask(requests.driver)
            url = request.url
            requests.start(task.id, task, ShownRequest(request, documentURL: nil))
        }

        deinit {
            let task = task
            Task { @MainActor in task.cancel() }
        }

        func part() async throws -> URLSchemeTaskResult? {
            do {
                switch try await task.part() {
                case .head(let head):
                    guard let response = HTTPURLResponse(head, url: url) else { throw URLError(.badServerResponse) }
                    return .response(response)
                case .content(let piece): return .data(Data(piece))
                case nil: return nil
                }
            } catch let error as SchemeTaskError {
                throw error.urlError
            }
        }
    }
}
#endif
