import HTTPTypes

/// Whether a stored content coding is acceptable to a presented request, RFC 9110 §12.5.3.
package enum ContentCoding {
    /// True if every coding of the response is acceptable to the request, or the response has none.
    ///
    /// An origin that forgets `Vary: Accept-Encoding` must not make a cache send gzip to a client that does not accept
    /// it; such a request is forwarded instead. Only codings that clients negotiate count: the meaning of another name
    /// is up to the origin and its client.
    package static func isAcceptable(_ response: HTTPFields, to presented: HTTPFields) -> Bool {
        switch response.lines(.contentEncoding) {
        case .none: return true
        case .one(let coding):
            return isAcceptableInPlace(coding, to: presented) ?? areAcceptable([coding], to: presented)
        case .several(let codings): return areAcceptable(codings, to: presented)
        }
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

    /// Judges any codings and offers.
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

    /// The content codings of the IANA registry that browsers and libraries accept.
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
            // qvalue 0 in any spelling: 0, 0., 0.0, 0.00, 0.000
            isAcceptable = !(parameters.hasPrefix(";q=0") && parameters.dropFirst(4).allSatisfy { "0.".contains($0) })
        }
    }
}

/// Judging in place for usual fields: one coding, and one line of offers in ASCII without quoted strings.
///
/// Takes a fourteenth of the time of ``ContentCoding/areAcceptable(_:to:)`` (docs/benchmarks.md), which judges all
/// fields. Both give the same result where this one has one.
extension ContentCoding {
    /// - Parameter coding: The only line of the response's field.
    /// - Returns: `nil` for other fields.
    static func isAcceptableInPlace(_ coding: String, to presented: HTTPFields) -> Bool? {
        let applied = coding.utf8.withContiguousStorageIfAvailable { Negotiated($0, 0..<$0.count) } ?? nil
        // A list, or a coding that clients do not negotiate.
        guard let applied else { return nil }
        switch presented.lines(.acceptEncoding) {
        case .none: return true
        case .several: return nil
        case .one(let offers): return offers.utf8.withContiguousStorageIfAvailable { accepts(applied, $0) } ?? nil
        }
    }

    /// The first offer of the coding decides; without one, the first "*".
    private static func accepts(_ applied: Negotiated, _ offers: UnsafeBufferPointer<UInt8>) -> Bool? {
        guard offers.allSatisfy({ ($0 >= 0x20 || $0 == 0x09) && $0 < 0x7F && $0 != 0x22 }) else { return nil }
        var others: Bool?
        var start = 0
        while start < offers.count {
            let end = offers[start...].firstIndex(of: 0x2C) ?? offers.count
            start = offers.endOfWhitespace(from: start)
            let name = start..<offers.endOfToken(from: start)
            if Negotiated(offers, name) == applied { return isAcceptable(offers, name.upperBound..<end) }
            if others == nil, offers.matches("*", in: name) { others = isAcceptable(offers, name.upperBound..<end) }
            start = end + 1
        }
        return others ?? false
    }

    /// False for a qvalue of zero in any spelling, with white space anywhere in it.
    private static func isAcceptable(_ offers: UnsafeBufferPointer<UInt8>, _ parameters: Range<Int>) -> Bool {
        let zero: StaticString = ";q=0"
        var seen = 0
        for position in parameters {
            let byte = offers[position]
            if byte == 0x20 || byte == 0x09 { continue }
            if seen < zero.utf8CodeUnitCount {
                guard zero.withUTF8Buffer({ $0[seen] == UnsafeBufferPointer.lowercased(byte) }) else { return true }
                seen += 1
            } else if byte != 0x30, byte != 0x2E {
                return true
            }
        }
        return seen < zero.utf8CodeUnitCount
    }
}

extension ContentCoding.Negotiated {
    /// Reads a name in any case, and the aliases of RFC 9110 §8.4.1.
    fileprivate init?(_ bytes: UnsafeBufferPointer<UInt8>, _ name: Range<Int>) {
        switch name.count {
        case 2 where bytes.matches("br", in: name): self = .br
        case 3 where bytes.matches("dcb", in: name): self = .dcb
        case 3 where bytes.matches("dcz", in: name): self = .dcz
        case 4 where bytes.matches("gzip", in: name): self = .gzip
        case 4 where bytes.matches("zstd", in: name): self = .zstd
        case 6 where bytes.matches("x-gzip", in: name): self = .gzip
        case 7 where bytes.matches("deflate", in: name): self = .deflate
        case 8 where bytes.matches("compress", in: name): self = .compress
        case 10 where bytes.matches("x-compress", in: name): self = .compress
        default: return nil
        }
    }
}
