import CInflate
import CacheEngine
import HTTPCacheSemantics
import HTTPTypes

/// Takes the content codings off a content: gzip and deflate (RFC 9110 §8.4.1), also one over the other.
struct ContentDecoder {
    private enum Coding {
        case gzip, deflate
    }

    /// More of them over each other are taken for an attack.
    private static let mostCodings = 4

    /// In the order in which they are taken off.
    private let codings: [Coding]

    /// - Returns: `nil` where one of the codings is another one.
    init?(_ fields: HTTPFields) {
        var codings: [Coding] = []
        let names = fields[values: .contentEncoding].flatMap { $0.split(separator: ",") }
        for name in names {
            switch name.filter({ $0 != " " && $0 != "\t" }).lowercased() {
            case "gzip", "x-gzip": codings.append(.gzip)
            case "deflate": codings.append(.deflate)
            case "identity", "": break
            default: return nil
            }
        }
        guard codings.count <= Self.mostCodings else { return nil }
        self.codings = codings.reversed()
    }

    /// - Parameter limit: The most that may come out, of each coding.
    /// - Throws: ``CacheEngine/EngineError/Code/contentUnreadable`` for what is damaged or cut off, `bodyTooLarge`.
    func decode(_ content: [UInt8], upTo limit: ByteCount) throws(EngineError) -> [UInt8] {
        var content = content
        for coding in codings where !content.isEmpty { content = try Self.inflate(content, coding, upTo: limit) }
        return content
    }

    private static func inflate(
        _ content: [UInt8], _ coding: Coding, upTo limit: ByteCount
    ) throws(EngineError) -> [UInt8] {
        guard let inflater = larder_inflater_make(windowBits(content, coding)) else {
            throw damaged("there is no memory to decode it")
        }
        defer { larder_inflater_free(inflater) }
        var (decoded, piece): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 65_536))
        var place = 0
        while true {
            var (taken, added) = (content.count - place, piece.count)
            let result = content.withUnsafeBufferPointer { input in
                larder_inflater_step(inflater, input.baseAddress.map { $0 + place }, &taken, &piece, &added)
            }
            guard result != LARDER_INFLATED_DAMAGED.rawValue else { throw damaged("it is not what its coding says") }
            place += taken
            guard Int64(decoded.count + added) <= limit.bytes else {
                throw EngineError(code: .bodyTooLarge, message: "The decoded content is longer than \(limit).")
            }
            decoded += piece[..<added]
            if result == LARDER_INFLATED_END.rawValue {
                // RFC 1952 §2.2: "A gzip file consists of a series of members".
                let rest = content[place...]
                guard coding == .gzip, rest.starts(with: [0x1F, 0x8B]), larder_inflater_reset(inflater) != 0 else {
                    return decoded
                }
            } else if taken == 0, added == 0 {
                throw damaged("its end is missing")
            }
        }
    }

    /// §8.4.1.2: deflate is deflate inside zlib's format; "some non-conformant implementations" leave that out.
    private static func windowBits(_ content: [UInt8], _ coding: Coding) -> Int32 {
        if coding == .gzip { return 31 }
        guard content.count > 1 else { return 15 }
        let isZlib = content[0] & 0x0F == 8 && (Int(content[0]) << 8 | Int(content[1])) % 31 == 0
        return isZlib ? 15 : -15
    }

    private static func damaged(_ reason: String) -> EngineError {
        EngineError(code: .contentUnreadable, message: "The content can't be decoded: \(reason).")
    }
}
