import HTTPCacheSemantics
import HTTPTypes

@testable import Fetching

/// A row of a table: what goes in, what must come out, and the sentence of the standard that decides.
struct FetchRow<Given: Sendable, Expected: Sendable>: Sendable, CustomStringConvertible {
    var given: Given
    var expected: Expected
    var source: String

    init(_ given: Given, _ expected: Expected, _ source: String) {
        self.given = given
        self.expected = expected
        self.source = source
    }

    var description: String { "\(String(describing: given).prefix(120)) → \(expected), as \(source)" }
}

/// Fields from name and value pairs. Every name in the tests is a token.
func fields(_ pairs: (String, String)...) -> HTTPFields {
    var fields = HTTPFields()
    for (name, value) in pairs {
        if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
    }
    return fields
}

func head(_ method: HTTPRequest.Method = .get, _ url: String, _ fields: HTTPFields = HTTPFields()) throws -> HTTPRequest
{
    guard let target = WebURL(url) else { throw NotAURL(text: url) }
    return HTTPRequest(
        method: method, scheme: target.scheme, authority: target.authority.description, path: target.path,
        headerFields: fields)
}

func response(_ status: Int, _ fields: HTTPFields = HTTPFields()) -> HTTPResponse {
    HTTPResponse(status: HTTPResponse.Status(code: status), headerFields: fields)
}

struct NotAURL: Error {
    var text: String
}
