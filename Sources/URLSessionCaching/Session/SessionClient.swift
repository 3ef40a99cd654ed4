import CacheEngine
import Fetching
import Foundation
import HTTPCacheSemantics
import HTTPTypes

/// A protocol's client, as a load calls it.
///
/// `@unchecked`: used on the client's thread, where the system uses the protocol as well. The task's state may be read
/// from any thread.
struct SessionClient: LoadClient, @unchecked Sendable {
    let urlProtocol: CachingURLProtocol
    let settings: SessionSettings
    let upload: UploadContent?

    private var request: URLRequest { urlProtocol.request }
    private var client: (any URLProtocolClient)? { urlProtocol.client }

    var followsRedirects: Bool { ClientThread.isToldRedirects }
    var isSuspended: Bool { urlProtocol.task?.state == .suspended }

    func receive(_ head: HTTPResponse) {
        settings.keepCookies(of: head, to: request)
        guard let response = response(head) else { return }
        client?.urlProtocol(urlProtocol, didReceive: response, cacheStoragePolicy: .notAllowed)
    }

    func receive(_ piece: [UInt8]) -> LoadDemand {
        client?.urlProtocol(urlProtocol, didLoad: Data(piece))
        return isSuspended ? .whenResumed : .more
    }

    func redirect(_ redirect: LoadRedirect, _ head: HTTPResponse) {
        settings.keepCookies(of: head, to: request)
        guard let next = next(redirect), let response = response(head) else { return }
        client?.urlProtocol(urlProtocol, wasRedirectedTo: next, redirectResponse: response)
    }

    func finish() { client?.urlProtocolDidFinishLoading(urlProtocol) }

    func fail(_ failure: LoadFailure) {
        let error = EngineError(loading: failure)
        var details: [String: Any] = [NSLocalizedDescriptionKey: error.message, NSUnderlyingErrorKey: error]
        details[NSURLErrorFailingURLErrorKey] = request.url
        // An optional on Linux, where it is an enumeration.
        let code: URLError.Code? = URLError.Code(rawValue: SessionErrorCode.number(of: error))
        client?.urlProtocol(urlProtocol, didFailWithError: URLError(code ?? .unknown, userInfo: details))
    }

    private func response(_ head: HTTPResponse) -> HTTPURLResponse? {
        request.url.flatMap { try? HTTPURLResponse.make(head, from: $0) }
    }

    /// The request that follows, as the app's own with what the redirect changes.
    private func next(_ redirect: LoadRedirect) -> URLRequest? {
        guard let url = URL(string: TargetURI.strict(redirect.url)) else { return nil }
        var next = request
        next.url = url
        next.httpMethod = redirect.method
        for name in redirect.removedFields { next.setValue(nil, forHTTPHeaderField: name) }
        if !redirect.keepsContent {
            (next.httpBody, next.httpBodyStream) = (nil, nil)
            next.setValue(nil, forHTTPHeaderField: "Content-Length")
        } else if let upload {
            // The stream is read.
            next.httpBody = upload.whole.map { Data($0) }
        }
        return next
    }
}

extension HTTPURLResponse {
    /// A response's head as Foundation has it. Lines of the same name are one, joined by commas.
    package static func make(_ head: HTTPResponse, from url: URL) throws(EngineError) -> HTTPURLResponse {
        var fields: [String: String] = [:]
        for name in Set(head.headerFields.map(\.name)) { fields[name.rawName] = head.headerFields[name] }
        guard
            let response = HTTPURLResponse(
                url: url, statusCode: head.status.code, httpVersion: "HTTP/1.1", headerFields: fields)
        else { throw EngineError(code: .originBroken, message: "The response's head can't be represented.") }
        return response
    }
}
