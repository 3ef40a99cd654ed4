import HTTPTypes

/// Judging without copies, for what is usual: one coding, and one line of offers in ASCII without quoted strings.
extension ContentCoding {
    /// - Parameter coding: The only line of the response's field.
    /// - Returns: `nil` where this can't tell.
    static func isAcceptableInPlace(_ coding: String, to presented: HTTPFields) -> Bool? {
        let applied = coding.utf8.withContiguousStorageIfAvailable { Negotiated($0, 0..<$0.count) } ?? nil
        // A list, or a coding that nobody negotiates.
        guard let applied else { return nil }
        switch presented.lines(.acceptEncoding) {
        case .none: return true
        case .several: return nil
        case .one(let offers): return offers.utf8.withContiguousStorageIfAvailable { accepts(applied, $0) } ?? nil
        }
    }

    /// The first offer of the coding decides; without one, the first of "*".
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

    /// False for a qvalue of zero in any of its spellings, with white space anywhere in it.
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
    /// Reads a name in whatever case, and the other names that RFC 9110 §8.4.1 gives to two of them.
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
