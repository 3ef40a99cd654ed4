import Foundation
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

for path in CommandLine.arguments.dropFirst() {
    let file = URL(filePath: path)
    let once = Array(try Data(contentsOf: file))
    var bytes: [UInt8] = []
    while !once.isEmpty, bytes.count < 8_000_000 { bytes += once }
    print("\(file.lastPathComponent), \(once.count) bytes")
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
    case "js", "mjs":
        measure("  imports   ", bytes) {
            var reader = ModuleLexer()
            return ({ reader.feed($0) { _ in found += 1 } }, { reader.finish { _ in found += 1 } })
        }
    default:
        measure("  tokens    ", bytes) {
            var reader = HTMLTokenizer()
            return ({ reader.feed($0) { _ in found += 1 } }, { reader.finish { _ in found += 1 } })
        }
        measure("  references", bytes) {
            var reader = PageReferences()
            return ({ reader.feed($0) { _, _ in found += 1 } }, { reader.finish { _, _ in found += 1 } })
        }
    }
    print("  reported in all rounds: \(found)")
}
