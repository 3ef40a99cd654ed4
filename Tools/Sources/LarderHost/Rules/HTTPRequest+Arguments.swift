import CacheRules
import Fetching
import Foundation
import HTTPCacheSemantics
import HTTPTypes

extension HTTPRequest {
    /// A request from what someone typed.
    ///
    /// - Parameters:
    ///   - url: An absolute http or https URL; a space in it is percent-encoded, as web views do. Its user name and
    ///     password become `Authorization`, unless a line has that.
    ///   - fieldLines: `Name: value` each.
    /// - Throws: ``HostError`` if the method, the URL or a line is invalid.
    package init(method: String, url: String, fieldLines: [String]) throws(HostError) {
        guard let method = HTTPRequest.Method(method) else {
            throw HostError(code: .badUse, message: "'\(method)' is no request method.")
        }
        let (url, userinfo) = URLUserinfo.split(url)
        guard let parts = TargetURI.split(TargetURI.strict(url)), parts.scheme == "http" || parts.scheme == "https",
            Authority(parts.authority) != nil
        else {
            throw HostError(code: .badUse, message: "'\(url)' is no http or https URL, such as https://shop.test/.")
        }
        self.init(
            method: method, scheme: parts.scheme, authority: parts.authority, path: parts.path,
            headerFields: try HTTPFields(lines: fieldLines))
        guard let userinfo, !userinfo.isEmpty, !headerFields.contains(.authorization) else { return }
        guard let login = BasicCredentials(userinfo: userinfo.utf8) else {
            throw HostError(
                code: .badUse,
                message: "The address has a user name or password that can't be sent; RFC 7617 says which can.")
        }
        headerFields[.authorization] = login.fieldValue
    }
}

extension HTTPFields {
    /// - Parameter lines: `Name: value` each.
    /// - Throws: ``HostError`` if a line is invalid.
    package init(lines: [String]) throws(HostError) {
        self.init()
        for line in lines {
            guard let colon = line.firstIndex(of: ":"), let name = HTTPField.Name(String(line[..<colon])) else {
                throw HostError(code: .badUse, message: "'\(line)' is no field, such as 'Accept-Language: de'.")
            }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            append(HTTPField(name: name, value: value))
        }
    }
}

extension Destination {
    /// Reads `Sec-Fetch-Dest` of the request.
    package init(_ request: HTTPRequest) {
        let stated = request.headerFields.first { $0.name.canonicalName == "sec-fetch-dest" }
        self.init(secFetchDest: stated?.value)
    }
}
