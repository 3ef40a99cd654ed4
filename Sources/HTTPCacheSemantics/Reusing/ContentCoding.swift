import HTTPTypes

/// Whether a stored content coding suits a presented request, RFC 9110 §12.5.3.
public enum ContentCoding {
    /// True when every coding of the response is acceptable to the request, or the response has none.
    ///
    /// An origin that forgets `Vary: Accept-Encoding` must not make a cache hand gzip to a client that asked for
    /// none; such a request is forwarded instead.
    public static func isAcceptable(_ response: HTTPFields, to presented: HTTPFields) -> Bool {
        let codings = ListField.members(response[values: .contentEncoding]).map { $0.lowercased() }
        guard codings.contains(where: { $0 != "identity" }) else { return true }
        // "If no Accept-Encoding header field is in the request, any content coding is considered acceptable."
        guard presented.contains(.acceptEncoding) else { return true }
        let offers = ListField.members(presented[values: .acceptEncoding]).map(Offer.init)
        return codings.allSatisfy { coding in
            if coding == "identity" { return true }
            let named = offers.first { $0.coding == coding || $0.coding == "x-" + coding || "x-" + $0.coding == coding }
            return (named ?? offers.first { $0.coding == "*" })?.isAcceptable ?? false
        }
    }

    private struct Offer {
        var coding: String
        var isAcceptable: Bool

        init(_ member: String) {
            var scanner = ByteScanner(member.lowercased())
            coding = scanner.token() ?? ""
            let parameters = scanner.text(upTo: []).filter { $0 != " " && $0 != "\t" }
            // qvalue 0 in any of its spellings: 0, 0., 0.0, 0.00, 0.000
            isAcceptable = !(parameters.hasPrefix(";q=0") && parameters.dropFirst(4).allSatisfy { "0.".contains($0) })
        }
    }
}
