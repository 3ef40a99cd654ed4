#if canImport(WebKit)
import Fetching
import Foundation
import HTTPCacheSemantics
import HTTPTypes
import SchemeTasks
import WebKit

/// One load that a web view has handed over, told what `SchemeTaskDriver` says.
@MainActor
final class WebViewSchemeTask: SchemeTask {
    private let task: any WKURLSchemeTask
    /// A head that Foundation can't express has failed the task.
    private var isOver = false

    init(_ task: any WKURLSchemeTask) { self.task = task }

    func receive(_ head: HTTPResponse) {
        // As after a load of WebKit's own: a response's address has no user name and password.
        let url = task.request.url.flatMap {
            URL(string: TargetURI.strict(URLUserinfo.removed(from: $0.absoluteString)))
        }
        guard let response = HTTPURLResponse(head, url: url) else {
            return fail(SchemeTaskError(code: .unanswered, message: "The response has a head that can't be shown."))
        }
        task.didReceive(response)
    }

    func receive(_ piece: [UInt8]) -> LoadDemand {
        if !isOver { task.didReceive(Data(piece)) }
        return .more
    }

    func finish() {
        if !isOver { task.didFinish() }
        isOver = true
    }

    func fail(_ error: SchemeTaskError) {
        guard !isOver else { return }
        isOver = true
        task.didFailWithError(error.urlError)
    }
}

extension HTTPURLResponse {
    /// Fields of several lines are joined (RFC 9110 §5.3).
    convenience init?(_ head: HTTPResponse, url: URL?) {
        guard let url else { return nil }
        let fields = head.headerFields.reduce(into: [String: String]()) { fields, field in
            let name = field.name.rawName
            fields[name] = fields[name].map { "\($0), \(field.value)" } ?? field.value
        }
        self.init(url: url, statusCode: head.status.code, httpVersion: "HTTP/1.1", headerFields: fields)
    }
}

extension SchemeTaskError {
    /// As a web view and an app's delegate know errors.
    var urlError: NSError {
        let code =
            switch code {
            case .refused, .tooManyTasks: NSURLErrorResourceUnavailable
            case .timedOut: NSURLErrorTimedOut
            case .bodyBroken: NSURLErrorNetworkConnectionLost
            case .moved: NSURLErrorCancelled
            case .authenticationCancelled: NSURLErrorUserCancelledAuthentication
            default: NSURLErrorCannotConnectToHost
            }
        return NSError(domain: NSURLErrorDomain, code: code, userInfo: [NSLocalizedDescriptionKey: message])
    }
}

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
