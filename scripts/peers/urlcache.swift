import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Foundation's `URLCache`, as an app on this platform has it.
final class FoundationCache: StorePeer {
    let name = "URLCache"
    /// On Linux every store and every look-up reads its directory (measured; see docs/benchmarks.md).
    let limit = 500
    private let cache: URLCache

    init(in folder: String) throws {
        cache = URLCache(memoryCapacity: 0, diskCapacity: 1 << 34, diskPath: folder + "/urlcache")
    }

    private func request(_ number: Int) throws -> URLRequest {
        guard let url = URL(string: BenchResponses.uri(number)) else { throw PeerError(description: "no URL") }
        return URLRequest(url: url)
    }

    func fill(_ numbers: Range<Int>) throws {
        for number in numbers { try put(number, BenchResponses.bodyLength) }
    }

    func read(_ number: Int) throws -> Int? {
        cache.cachedResponse(for: try request(number))?.data.count
    }

    func store(_ lengths: [Int]) throws {
        throw PeerError(description: "says nothing of when what it stores is durable")
    }

    private func put(_ number: Int, _ length: Int) throws {
        let request = try request(number)
        let fields = Dictionary(
            BenchResponses.response.fields.map { ($0.name.rawName, $0.value) }, uniquingKeysWith: { first, _ in first })
        guard let url = request.url,
            let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: fields)
        else { throw PeerError(description: "no response could be made") }
        cache.storeCachedResponse(
            CachedURLResponse(response: response, data: Data(BenchResponses.body(number, length))), for: request)
    }
}
