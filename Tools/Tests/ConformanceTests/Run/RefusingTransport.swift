import CacheEngine
import NIOTransport

/// The real transport, except that it finds nobody where a row says that the origin can't be reached.
struct RefusingTransport: OriginTransport {
    let base: NIOOriginTransport
    let script: OriginScript

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let path = request.head.path ?? "/"
        let message = Message(
            startLine: "\(request.head.method.rawValue) \(path) HTTP/1.1",
            fields: request.head.headerFields.map { ($0.name.rawName, $0.value) })
        if script.refuses(RowOrigin.token(path), message) {
            throw TransportError(code: .connectionFailed, message: "The row lets nobody answer.")
        }
        return try await base.send(request)
    }
}
