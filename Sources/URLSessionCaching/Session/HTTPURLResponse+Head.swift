import CacheEngine
import Foundation
import HTTPTypes

extension HTTPURLResponse {
    /// A response's head as Foundation has it. Lines of the same name are one, joined by commas.
    package static func make(_ head: HTTPResponse, from url: URL) throws(EngineError) -> HTTPURLResponse {
        var fields: [String: String] = [:]
        for name in Set(head.headerFields.map(\.name)) { fields[name.rawName] = head.headerFields[name] }
        guard
            let response = HTTPURLResponse(
                url: url, statusCode: head.status.code, httpVersion: "HTTP/1.1", headerFields: fields)
        else {
            throw EngineError(code: .originBroken, message: "The response's head can't be represented.")
        }
        return response
    }
}
