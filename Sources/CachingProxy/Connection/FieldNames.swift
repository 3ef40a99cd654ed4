#if Proxy
import HTTPTypes

extension HTTPField.Name {
    /// RFC 9211.
    static let cacheStatus = Self(constant: "Cache-Status")
    /// Fetch Metadata §2.1.
    static let secFetchDest = Self(constant: "Sec-Fetch-Dest")

    /// A literal that is a token, so that the name always exists.
    private init(constant: StaticString) {
        self = HTTPField.Name("\(constant)") ?? .via
    }
}

extension HTTPFields {
    /// The combined value of a field, as the subscript has it; quicker where there is one line or none.
    func combined(_ name: HTTPField.Name) -> String? {
        guard let first = firstIndex(where: { $0.name == name }) else { return nil }
        return self[(first + 1)...].contains { $0.name == name } ? self[name] : self[first].value
    }
}
#endif
