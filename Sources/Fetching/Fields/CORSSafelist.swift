import HTTPCacheSemantics
import HTTPTypes

/// Requests that a page may send to another origin without a preflight, Fetch §2.2.1 and §2.2.2.
package enum CORSSafelist {
    /// "A CORS-safelisted method". Methods are case-sensitive.
    package static func isSafelisted(_ method: HTTPRequest.Method) -> Bool {
        method == .get || method == .head || method == .post
    }

    /// "The CORS-unsafe request-header names": in lower case, sorted, each once.
    ///
    /// Fields that the web view's engine adds do not count: forbidden fields, `User-Agent`,
    /// `Priority`, `Upgrade-Insecure-Requests`, and the `Cache-Control` and `Pragma` of a reload.
    ///
    /// - Parameter fields: As the scheme task shows them.
    package static func unsafeNames(in fields: HTTPFields) -> [String] {
        var names: Set<String> = []
        var potentiallyUnsafe: Set<String> = []
        // "safelistValueSize"
        var size = 0
        for field in fields where !isOfEngine(field) {
            if isSafelisted(field) {
                potentiallyUnsafe.insert(field.name.canonicalName)
                size += field.value.utf8.count
            } else {
                names.insert(field.name.canonicalName)
            }
        }
        if size > 1_024 { names.formUnion(potentiallyUnsafe) }
        return names.sorted()
    }

    /// "A CORS-safelisted request-header".
    static func isSafelisted(_ field: HTTPField) -> Bool {
        let value = field.value.utf8
        guard value.count <= 128 else { return false }
        switch field.name.canonicalName {
        case "accept": return !value.contains(where: isUnsafe)
        case "accept-language", "content-language":
            return value.allSatisfy {
                ByteScanner.isDigit($0) || ByteScanner.isLetter($0) || " *,-.;=".utf8.contains($0)
            }
        case "content-type":
            guard !value.contains(where: isUnsafe), let type = MediaTypeKind.essence(field.value) else { return false }
            return ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"].contains(type)
        case "range": return isSimpleRange(field.value)
        default: return false
        }
    }

    /// Whether `Last-Event-ID` is no more than a page may say in `Accept`: a worker's `fetch` that looks like an
    /// `EventSource` is to gain nothing.
    static func isHarmlessEventID(in fields: HTTPFields) -> Bool {
        let values = HTTPField.Name("Last-Event-ID").map { fields[values: $0] } ?? []
        return values.count == 1 && values.allSatisfy { $0.utf8.count <= 128 && !$0.utf8.contains(where: isUnsafe) }
    }

    /// "A CORS non-wildcard request-header name": `*` does not allow it.
    static func isNonWildcard(_ name: String) -> Bool { name == "authorization" }

    /// "A CORS-safelisted response-header name", §2.2.2, without what the server exposes.
    ///
    /// - Parameter name: In lower case.
    static func isSafelistedResponseName(_ name: String) -> Bool {
        [
            "cache-control", "content-language", "content-length", "content-type", "expires", "last-modified", "pragma",
        ].contains(name)
    }

    /// "Forbidden response-header name": no script ever sees these.
    static func isForbiddenResponseName(_ name: String) -> Bool { name == "set-cookie" || name == "set-cookie2" }

    private static func isOfEngine(_ field: HTTPField) -> Bool {
        if ForbiddenRequestFields.contains(field) {
            // These three are forbidden only with certain values, which no engine sends.
            return !field.name.canonicalName.hasPrefix("x-")
        }
        switch field.name.canonicalName {
        case "user-agent", "priority": return true
        case "upgrade-insecure-requests": return field.value == "1"
        case "cache-control": return field.value == "no-cache" || field.value == "max-age=0"
        case "pragma": return field.value == "no-cache"
        default: return false
        }
    }

    /// "A CORS-unsafe request-header byte".
    private static func isUnsafe(_ octet: UInt8) -> Bool {
        switch octet {
        case 0x09: false
        case 0x00..<0x20, 0x22, 0x28, 0x29, 0x3A, 0x3C, 0x3E, 0x3F, 0x40, 0x5B...0x5D, 0x7B, 0x7D, 0x7F: true
        default: false
        }
    }

    /// `bytes=` with one range that has a first position, "parse a single range header value" without white space.
    private static func isSimpleRange(_ value: String) -> Bool {
        guard value.hasPrefix("bytes=") else { return false }
        let parts = value.utf8.dropFirst("bytes=".utf8.count).split(
            separator: 0x2D, omittingEmptySubsequences: false)
        func isNumber(_ text: Substring.UTF8View) -> Bool { text.allSatisfy { (0x30...0x39).contains($0) } }
        guard parts.count == 2, !parts[0].isEmpty, parts.allSatisfy(isNumber) else { return false }
        guard !parts[1].isEmpty else { return true }
        // "If rangeStartValue and rangeEndValue are numbers, and rangeStartValue is greater …, then return failure."
        let first = parts[0].drop { $0 == 0x30 }
        let last = parts[1].drop { $0 == 0x30 }
        return first.count == last.count ? !last.lexicographicallyPrecedes(first) : first.count < last.count
    }
}
