import HTTPTypes

/// Whether a stored content coding suits a presented request, RFC 9110 §12.5.3.
public enum ContentCoding {
    /// True when every coding of the response is acceptable to the request, or the response has none.
    ///
    /// An origin that forgets `Vary: Accept-Encoding` must not make a cache hand gzip to a client that asked for
    /// none; such a request is forwarded instead. Only codings that clients negotiate are looked at: what another name
    /// means is between the origin and its client.
    public static func isAcceptable(_ response: HTTPFields, to presented: HTTPFields) -> Bool {
        switch response.lines(.contentEncoding) {
        case .none: return true
        case .one(let coding):
            return isAcceptableInPlace(coding, to: presented) ?? areAcceptable([coding], to: presented)
        case .several(let codings): return areAcceptable(codings, to: presented)
        }
    }

    /// Judges any codings and offers, however many.
    ///
    /// - Parameter codings: The lines of the response's field.
    static func areAcceptable(_ codings: [String], to presented: HTTPFields) -> Bool {
        let applied = ListField.members(codings).map(canonical)
        let codings = Set(applied).intersection(negotiated)
        guard !codings.isEmpty else { return true }
        // "If no Accept-Encoding header field is in the request, any content coding is considered acceptable."
        guard presented.contains(.acceptEncoding) else { return true }
        let offers = ListField.members(presented[values: .acceptEncoding]).map(Offer.init)
        let isAcceptable = Dictionary(
            offers.map { ($0.coding, $0.isAcceptable) }, uniquingKeysWith: { first, _ in first })
        return codings.allSatisfy { isAcceptable[$0] ?? isAcceptable["*"] ?? false }
    }

    /// The content codings of the IANA registry that browsers and libraries offer.
    enum Negotiated: String, CaseIterable {
        case br, compress, dcb, dcz, deflate, gzip, zstd
    }

    private static let negotiated = Set(Negotiated.allCases.map(\.rawValue))

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
            // qvalue 0 in any of its spellings: 0, 0., 0.0, 0.00, 0.000
            isAcceptable = !(parameters.hasPrefix(";q=0") && parameters.dropFirst(4).allSatisfy { "0.".contains($0) })
        }
    }
}
