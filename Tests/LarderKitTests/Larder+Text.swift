import Foundation
import LarderKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Larder {
    /// The content at a URL, as text in UTF-8.
    func text(_ url: String) async throws -> String {
        String(decoding: try await data(for: URLRequest(patient: url)).0, as: UTF8.self)
    }
}

extension URLRequest {
    /// A request that waits however busy the machine is.
    init(patient url: String) {
        self.init(url: URL(test: url))
        timeoutInterval = 86_400
    }
}

extension URL {
    /// - Parameter text: What is no URL at all becomes one that is neither http nor https.
    init(test text: String) {
        self = URL(string: text) ?? URL(fileURLWithPath: text)
    }
}
