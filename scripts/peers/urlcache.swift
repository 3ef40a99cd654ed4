// Foundation's URLCache beside plain files, as `larder-bench store` measures its peers. A program of its own: linked
// with Swift's libraries inside, it would need libcurl's, which nothing else here does.
//
//     swiftc -O scripts/peers/urlcache.swift -o urlcache && ./urlcache FOLDER [ENTRIES]
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

let folder = CommandLine.arguments.dropFirst().first ?? NSTemporaryDirectory() + "/urlcache-bench"
let entries = CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 500
let length = 12_288
try FileManager.default.createDirectory(atPath: folder + "/files", withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(atPath: folder) }

func request(_ number: Int) throws -> URLRequest {
    guard let url = URL(string: "https://bench.test/assets/app.\(number).js?number=\(number)") else {
        throw CocoaError(.fileReadInvalidFileName)
    }
    return URLRequest(url: url)
}

func body(_ number: Int) -> Data {
    var bytes = Data(repeating: UInt8(truncatingIfNeeded: number), count: length)
    withUnsafeBytes(of: number) { bytes.replaceSubrange(0..<8, with: $0) }
    return bytes
}

func path(_ number: Int) -> String { "\(folder)/files/\(number)" }

/// Microseconds of each call.
func times(_ count: Int, _ work: (Int) throws -> Int?) throws -> [Double] {
    try (0..<count).map { _ in
        let number = Int.random(in: 0..<entries)
        let start = DispatchTime.now().uptimeNanoseconds
        guard let read = try work(number), read >= length else { throw CocoaError(.fileReadUnknown) }
        return Double(DispatchTime.now().uptimeNanoseconds - start) / 1_000
    }.sorted()
}

let cache = URLCache(memoryCapacity: 0, diskCapacity: 1 << 34, diskPath: folder + "/cache")
let fields = [
    "Cache-Control": "public, max-age=31536000, immutable", "Content-Type": "text/javascript",
    "Date": "Mon, 21 Sep 2026 14:13:20 GMT", "Content-Length": "\(length)", "ETag": "\"5d8c72a5edda8d6a\"",
]
var start = DispatchTime.now().uptimeNanoseconds
for number in 0..<entries {
    let request = try request(number)
    guard let url = request.url,
        let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: fields)
    else { throw CocoaError(.fileWriteUnknown) }
    cache.storeCachedResponse(CachedURLResponse(response: response, data: body(number)), for: request)
    try body(number).write(to: URL(fileURLWithPath: path(number)))
}
let filling = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6
var (urlCache, files): ([Double], [Double]) = ([], [])
for _ in 0..<5 {
    // What was stored may be written later than it was asked for.
    urlCache += try times(40) { cache.cachedResponse(for: try request($0))?.data.count }
    files += try times(400) { try Data(contentsOf: URL(fileURLWithPath: path($0))).count }
}
urlCache.sort()
files.sort()
func show(_ name: String, _ all: [Double]) {
    print(
        name.padding(toLength: 34, withPad: " ", startingAt: 0)
            + String(
                format: "%8d entries  p50 %9.2f µs  p99 %9.2f µs  × files %7.2f", entries, all[all.count / 2],
                all[all.count * 99 / 100], all[all.count / 2] / files[files.count / 2]))
}
show("12 KB, URLCache, no memory", urlCache)
show("12 KB, plain files by Foundation", files)
print(String(format: "storing %d in both: %.0f ms; durable: URLCache does not say", entries, filling))
