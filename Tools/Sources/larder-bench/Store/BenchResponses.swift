import Foundation
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// The store benchmark's responses: keys, heads and bodies by number, the same for every peer.
enum BenchResponses {
    /// Bytes of each body of the tables of look-ups.
    static let bodyLength = 12_288
    /// As many bytes as a stored head has, for peers that keep it as it came.
    static let head = [UInt8](repeating: 0x61, count: 480)

    static func uri(_ number: Int) -> String {
        "https://bench.test/assets/app.\(String(number, radix: 16)).js?number=\(number)"
    }

    static func key(_ number: Int) -> CacheKey { CacheKey(uri: uri(number)) }

    static let response: StoredResponse = {
        // As of what was stored just now: of older ones the store notes once a day that they are used.
        let now = WallInstant(unixSeconds: Int64(time(nil)))
        return StoredResponse(
            status: .ok,
            fields: [
                .date: HTTPDate.print(now), .contentType: "text/javascript; charset=utf-8",
                .contentLength: "12288", .cacheControl: "public, max-age=31536000, immutable",
                .eTag: "\"5d8c72a5edda8d6a\"", .lastModified: HTTPDate.print(now + .seconds(-86_400)),
                .vary: "Accept-Encoding", .contentEncoding: "br", .server: "nginx", .acceptRanges: "bytes",
                .strictTransportSecurity: "max-age=63072000",
            ], requestTime: now, responseTime: now)
    }()

    /// Bytes of its own for each number, so that none is shared.
    static func body(_ number: Int, _ count: Int = bodyLength) -> [UInt8] {
        var bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: max(8, count))
        withUnsafeBytes(of: number) { bytes.replaceSubrange(0..<8, with: $0) }
        return bytes
    }

    /// Log-normal lengths with a median of 12 KB and a mean of 40, in an order that is the same every time.
    static func webLikeLengths(_ count: Int) -> [Int] {
        (0..<count).map { place in
            // Steps of a prime through all quantiles, so that small and large ones come mixed.
            let number = place * 7_919 % count
            let uniform = (Double(number) + 0.5) / Double(count)
            // Quantiles of the normal distribution by the logistic one, which is near enough for sizes.
            let normal = log(uniform / (1 - uniform)) / 1.702
            return min(2_000_000, Int(12_288 * exp(1.55 * normal)))
        }
    }
}
