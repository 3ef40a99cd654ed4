import HTTPTypes

/// The content codings of a response that can be taken off: gzip and deflate, RFC 9110 §8.4.1.
///
/// Not br or zstd: not every platform has a library for them, so consumers that decode nothing must not ask for them.
public struct ContentCodings: Hashable, Sendable {
    enum Coding: Hashable, Sendable {
        case gzip, deflate
    }

    /// More of them over each other are taken for an attack.
    public static let most = 4

    /// In the order in which they are taken off, the reverse of the field's.
    let codings: [Coding]

    /// - Returns: `nil` where one of the codings is another one, or where there are more than ``most``.
    public init?(_ fields: HTTPFields) {
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
        guard codings.count <= Self.most else { return nil }
        self.codings = codings.reversed()
    }

    /// Whether the content is not coded.
    public var isEmpty: Bool { codings.isEmpty }

    /// The `Accept-Encoding` to send for a consumer that gets decoded content.
    ///
    /// With `Range` it is `identity`, as in Fetch §4.6: a part of coded content can't be decoded, and the consumer's
    /// offsets count decoded bytes.
    public static func acceptEncoding(for request: HTTPFields) -> String {
        request[.range] == nil ? "gzip, deflate" : "identity"
    }
}
