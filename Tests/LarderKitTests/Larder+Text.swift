import Foundation
import LarderKit

extension Larder {
    /// The content at a URL, as text in UTF-8.
    func text(_ url: String) async throws -> String {
        var request = URLRequest(url: URL(test: url))
        // However busy the machine is.
        request.timeoutInterval = 86_400
        return String(decoding: try await data(for: request).0, as: UTF8.self)
    }
}

extension URL {
    /// - Parameter text: What is no URL at all becomes one that is neither http nor https.
    init(test text: String) {
        self = URL(string: text) ?? URL(fileURLWithPath: text)
    }
}
