import Foundation
import PageRewriting
import PageSyntax

/// The processor's time of this process in nanoseconds: other programs do not count.
func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

/// Prints how fast a file is read, the median of nine rounds.
func measure(_ name: String, _ bytes: [UInt8], _ reader: () -> (read: (ArraySlice<UInt8>) -> Void, finish: () -> Void)) {
    var times: [Double] = []
    for _ in 0..<9 {
        let (read, finish) = reader()
        let start = now()
        for index in stride(from: 0, to: bytes.count, by: 16_384) {
            read(bytes[index..<min(bytes.count, index + 16_384)])
        }
        finish()
        times.append((now() - start) / Double(bytes.count))
    }
    let perMegabyte = times.sorted()[4]
    print(name, String(format: "%6.0f MB/s %7.2f ms/MB", 1_000 / perMegabyte, perMegabyte))
}

/// Prints how fast addresses are turned: of a host that the file does not name, and of the one that it names most.
func measureRewriting(_ kind: PageRewriter.Kind, _ bytes: [UInt8], _ host: String?) {
    for (name, hosts) in [("  turned, none ", ["larder.invalid"]), ("  turned, named", host.map { [$0] } ?? [])]
    where !hosts.isEmpty {
        measure(name, bytes) {
            var rewriter = PageRewriter(kind, .init(hosts: NamedHosts(Set(hosts))))
            var length = 0
            return ({ length += rewriter.rewrite(Array($0)).count }, { length += rewriter.finish().count })
        }
    }
}

/// The host of most absolute addresses.
func mostNamedHost(_ bytes: [UInt8]) -> String? {
    let parts = String(decoding: bytes, as: UTF8.self).components(separatedBy: "https://").dropFirst()
    let hosts = parts.map { String($0.prefix { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" }) }
    return Dictionary(grouping: hosts) { $0 }.max { $0.value.count < $1.value.count }?.key
}

for path in CommandLine.arguments.dropFirst() {
    let file = URL(filePath: path)
    let once = Array(try Data(contentsOf: file))
    var bytes: [UInt8] = []
    while !once.isEmpty, bytes.count < 8_000_000 { bytes += once }
    print("\(file.lastPathComponent), \(once.count) bytes")
    let host = mostNamedHost(once)
    // Depends on the work, so that none of it can be left out.
    var found = 0
    switch file.pathExtension {
    case "css":
        measure("  tokens    ", bytes) {
            var reader = CSSTokenizer()
            return ({ reader.feed($0) { _ in found += 1 } }, { reader.finish { _ in found += 1 } })
        }
        measure("  references", bytes) {
            var reader = CSSReferences()
            return ({ reader.feed($0) { _ in found += 1 } }, { reader.finish { _ in found += 1 } })
        }
        measureRewriting(.styleSheet, bytes, host)
    default:
        measure("  tokens    ", bytes) {
            var reader = HTMLTokenizer()
            return ({ reader.feed($0) { _ in found += 1 } }, { reader.finish { _ in found += 1 } })
        }
        measure("  references", bytes) {
            var reader = PageReferences()
            return ({ reader.feed($0) { _, _ in found += 1 } }, { reader.finish { _, _ in found += 1 } })
        }
        measureRewriting(.document, bytes, host)
    }
    print("  reported in all rounds: \(found)")
}
