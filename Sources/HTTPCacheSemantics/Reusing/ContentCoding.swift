import HTTPTypes

/// Whether a stored content coding is acceptable to a presented request, RFC 9110 §12.5.3.
package enum ContentCoding {
    /// True if every coding of the response is acceptable to the request, or the response has none.
    ///
    /// An origin that forgets `Vary: Accept-Encoding` must not make a cache send gzip to a client that does not accept
    /// it; such a request is forwarded instead. Only codings that clients negotiate count: the meaning of another name
    /// is up to the origin and its client.
    package static func isAcceptable(_ response: HTTPFields, to presented: HTTPFields) -> Bool {
        guard response.contains(.contentEncoding) else { return true }
        let codings = Set(names(of: response)).intersection(negotiated)
        // "If no Accept-Encoding header field is in the request, any content coding is considered acceptable."
        guard !codings.isEmpty, presented.contains(.acceptEncoding) else { return true }
        let offers = ListField.members(presented[values: .acceptEncoding]).map(Offer.init)
        let isAcceptable = Dictionary(
            offers.map { ($0.coding, $0.isAcceptable) }, uniquingKeysWith: { first, _ in first })
        return codings.allSatisfy { isAcceptable[$0] ?? isAcceptable["*"] ?? false }
    }

    /// The codings of a response in the order in which they were applied, in lower case, without aliases (§8.4.1).
    package static func names(of response: HTTPFields) -> [String] {
        ListField.members(response[values: .contentEncoding]).map(canonical)
    }

    /// The members of `Accept-Encoding` that are about some codings or about `identity`; an offer of anything becomes
    /// one of these codings.
    ///
    /// - Returns: `nil` without the field.
    package static func offers(_ request: HTTPFields, among codings: Set<String>) -> [String]? {
        guard request.contains(.acceptEncoding) else { return nil }
        let members = ListField.members(request[values: .acceptEncoding])
        return members.flatMap { member -> [String] in
            let offer = Offer(member)
            if offer.coding == "*" {
                let named = Set(members.map { Offer($0).coding })
                return offer.isAcceptable ? codings.subtracting(named).sorted() : [member]
            }
            return codings.contains(offer.coding) || offer.coding == "identity" ? [member] : []
        }
    }

    /// The content codings of the IANA registry that browsers and libraries accept.
    private static let negotiated: Set = ["br", "compress", "dcb", "dcz", "deflate", "gzip", "zstd"]

    /// §8.4.1: codings compare without case, and "x-gzip" and "x-compress" are other names of two of them.
    private static func canonical(_ coding: String) -> String {
        switch coding.lowercased() {
        case "x-gzip": "gzip"
        case "x-compress": "compress"
        case let other: other
        }
    }

    private struct Offer {
        var coding: String
        var isAcceptable: Bool

        init(_ member: String) {
            var scanner = ByteScanner(member.lowercased())
            coding = canonical(scanner.token() ?? "")
            let parameters = scanner.text(upTo: []).filter { $0 != " " && $0 != "\t" }
            // qvalue 0 in any spelling: 0, 0., 0.0, 0.00, 0.000
            isAcceptable = !(parameters.hasPrefix(";q=0") && parameters.dropFirst(4).allSatisfy { "0.".contains($0) })
        }
    }
}
