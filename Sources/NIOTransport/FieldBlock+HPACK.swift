#if Proxy
import HTTPMessages
import NIOHPACK

extension HPACKHeaders {
    /// As they go out on a connection of HTTP/2.
    package init(_ block: FieldBlock) {
        self.init()
        for (name, value) in block { add(name: name, value: value, indexing: Self.indexing(name, value)) }
    }

    /// Whether a line enters the table that both sides keep, RFC 7541 §2.3.
    private static func indexing(_ name: String, _ value: String) -> HPACKIndexing {
        switch name {
        // §7.1.3: a value that can be guessed must not.
        case "authorization", "proxy-authorization", "set-cookie": .neverIndexed
        // These hardly come again, would drive out what does, and each search goes through all of the table.
        case ":path", "age", "cache-status", "content-length", "content-range", "date", "etag", "expires",
            "if-modified-since", "if-none-match", "last-modified", "location":
            .nonIndexable
        default: value.utf8.count > 4_096 ? .nonIndexable : .indexable
        }
    }
}

extension FieldBlock {
    /// As they came.
    package init(_ headers: HPACKHeaders) {
        self.init(headers.lazy.map { ($0.name, $0.value) })
    }
}
#endif
