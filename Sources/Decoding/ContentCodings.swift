import HTTPTypes

/// The content codings of a response that can be taken off: gzip and deflate, RFC 9110 §8.4.1; and br, RFC 7932, where
/// the system has a decoder.
///
/// Not zstd: hardly a system has a library for it, so consumers that decode nothing must not ask for it.
package struct ContentCodings: Hashable, Sendable {
    enum Coding: Hashable, Sendable {
        case gzip, deflate, brotli
    }

    /// More of them over each other are taken for an attack.
    package static let most = 4

    /// Whether br can be taken off: always on Apple's platforms; on Linux where libbrotlidec is installed.
    package static var decodesBrotli: Bool { BrotliDecoder.isAvailable }

    /// In the order in which they are taken off, the reverse of the field's.
    let codings: [Coding]
    /// Whether the field names no coding.
    package let saysNothing: Bool

    /// Codings that content may have and that can't be taken off here (IANA's registry, RFC 9110 §16.6.1).
    private static let foreign: Set<String> = [
        "aes128gcm", "br", "compress", "dcb", "dcz", "exi", "pack200-gzip", "x-compress", "zstd",
    ]

    /// A name of no coding says nothing of the content, which goes on as it is (Fetch §3.1, "handle content codings"):
    /// servers send `utf-8`, `none`, `binary` and `aws-chunked`.
    ///
    /// - Returns: `nil` where one of the codings is another one, where there are more than ``most``, and where br is
    ///   there twice: each takes 16 MiB.
    package init?(_ fields: HTTPFields) {
        self.init(fields, decodesBrotli: Self.decodesBrotli)
    }

    init?(_ fields: HTTPFields, decodesBrotli: Bool) {
        var codings: [Coding] = []
        let names = fields[values: .contentEncoding].flatMap { $0.split(separator: ",") }
            .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
        for name in names {
            switch name {
            case "gzip", "x-gzip": codings.append(.gzip)
            case "deflate": codings.append(.deflate)
            case "br" where decodesBrotli && !codings.contains(.brotli): codings.append(.brotli)
            case "identity", "": break
            case _ where Self.foreign.contains(name): return nil
            default:
                (self.codings, saysNothing) = ([], true)
                return
            }
        }
        guard codings.count <= Self.most else { return nil }
        (self.codings, saysNothing) = (codings.reversed(), false)
    }

    /// Whether the content is not coded.
    package var isEmpty: Bool { codings.isEmpty }

    /// The `Accept-Encoding` to send for a consumer that gets decoded content.
    ///
    /// With `Range` it is `identity`, as in Fetch §4.6: a part of coded content can't be decoded, and the consumer's
    /// offsets count decoded bytes.
    ///
    /// - Parameter isSecure: Whether it is sent over TLS. br is not asked for otherwise, as web views don't: some
    ///   networks damage what they do not know.
    package static func acceptEncoding(for request: HTTPFields, isSecure: Bool = true) -> String {
        acceptEncoding(for: request, decodesBrotli: decodesBrotli && isSecure)
    }

    static func acceptEncoding(for request: HTTPFields, decodesBrotli: Bool) -> String {
        guard request[.range] == nil else { return "identity" }
        return decodesBrotli ? "gzip, deflate, br" : "gzip, deflate"
    }
}
