#if canImport(WebKit)
import Foundation
import HTTPCacheSemantics
import HTTPTypes
import SchemeTasks

extension WebViewRequest {
    /// - Parameter documentURL: The document that the view shows, for requests that name none.
    init(_ request: URLRequest, documentURL: String?) {
        var fields = HTTPFields()
        for (name, value) in request.allHTTPHeaderFields ?? [:] {
            guard let name = HTTPField.Name(name) else { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        self.init(
            method: request.httpMethod ?? "GET", url: request.url?.absoluteString ?? "", fields: fields,
            topLevelURL: request.mainDocumentURL?.absoluteString ?? documentURL,
            content: { request.content(within: $0) })
    }
}

extension URLRequest {
    /// Says the mode of `cachePolicy` in a field: WebKit goes by it for its own cache alone, where what only Larder has
    /// is missing.
    mutating func state(_ mode: CacheMode) {
        guard mode != .protocolDefault else { return }
        setValue(mode.rawValue, forHTTPHeaderField: CacheMode.field.rawName)
        if mode.acceptsAnyAge { cachePolicy = .useProtocolCachePolicy }
    }

    /// The whole content: empty without any, `nil` for what is longer or breaks off. What comes here is in memory
    /// already.
    fileprivate func content(within limit: Int) -> [UInt8]? {
        if let httpBody { return httpBody.count <= limit ? Array(httpBody) : nil }
        guard let httpBodyStream else { return [] }
        httpBodyStream.open()
        defer { httpBodyStream.close() }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = httpBodyStream.read(&piece, maxLength: piece.count)
            guard count >= 0 else { return nil }
            guard count > 0 else { return bytes }
            guard bytes.count + count <= limit else { return nil }
            bytes += piece[..<count]
        }
    }
}
#endif
