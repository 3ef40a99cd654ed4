import CacheEngine
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Locking

@testable import Preloading

/// An origin of many files that answers ranges, and breaks off in the middle of chosen requests.
final class CutOrigin: Sendable {
    let count: Int
    private let number = LockedBox(0)
    private let isCut: @Sendable (Int) -> Bool

    /// - Parameter isCut: Whether the request with this number, from 1, breaks off.
    init(_ count: Int, isCut: @escaping @Sendable (Int) -> Bool = { _ in false }) {
        self.count = count
        self.isCut = isCut
    }

    static func content(_ file: Int) -> [UInt8] {
        (0..<(1_000 + file)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ file) }
    }

    var items: [PreloadItem] {
        (0..<count).map { file in
            PreloadItem(
                url: PreloadBench.base + "/\(file).js", content: PreloadBench.expected(Self.content(file)),
                destination: .script)
        }
    }

    var size: ByteCount { ByteCount((0..<count).reduce(0) { $0 + 1_000 + $1 }) }

    var requests: Int { number.withLock { $0 } }

    func serve(_ transport: ScriptedTransport, before: @escaping @Sendable (Int) async throws -> Void = { _ in }) {
        for file in 0..<count {
            transport.on(PreloadBench.base + "/\(file).js") { [self] request in
                let number = number.withLock { number -> Int in
                    number += 1
                    return number
                }
                try await before(number)
                return answer(Self.content(file), tag: "\"\(file)\"", request.head.headerFields, cut: isCut(number))
            }
        }
    }

    private func answer(
        _ content: [UInt8], tag: String, _ asked: HTTPFields, cut: Bool
    ) -> TransportResponse {
        var fields: HTTPFields = [
            .eTag: tag, .cacheControl: "max-age=3600", .contentType: "text/javascript",
            .date: "Tue, 14 Nov 2023 22:13:20 GMT",
        ]
        var start = 0
        if asked[.ifRange] == tag, let range = asked[.range], let from = Int(range.dropFirst(6).dropLast()) {
            start = from
            fields[.contentRange] = "bytes \(start)-\(content.count - 1)/\(content.count)"
        }
        let rest = Array(content[start...])
        guard cut else { return ScriptedTransport.answer(start == 0 ? 200 : 206, fields, body: rest) }
        let body = ScriptedBody([Array(rest.prefix(rest.count / 2))], ends: false)
        body.end(throwing: TransportError(code: .closedEarly, message: "The test cuts the connection."))
        return ScriptedTransport.answer(start == 0 ? 200 : 206, fields, streaming: body, length: Int64(rest.count))
    }
}
