import HTTPCacheSemantics
import Preloading

/// The index of a seed: its bytes.
enum SeedIndexTarget: FuzzTarget {
    static let name = "seed-index"
    private static let start = "{\"larderSeed\":1,\"id\":\"a\",\"built\":\"2026-11-20T08:00:00Z\",\"files\":["
    private static let file =
        "{\"url\":\"https://a.test/\",\"sha256\":\"0000000000000000000000000000000000000000000000000000000000000000\","
        + "\"size\":0,\"coding\":\"identity\",\"offset\":0,\"length\":0,\"as\":\"script\",\"group\":\"boot\",\"fields\":{"
    static let shapes = [
        HostileShape("["), HostileShape("{\"a\":"), HostileShape("\"a\":1,", after: "{"),
        HostileShape("{},", after: start), HostileShape(file + "}},", after: start),
        HostileShape("a/../", after: start + "{\"url\":\"https://a.test/"),
        HostileShape("a.", after: start + "{\"url\":\"https://"),
        HostileShape("\"a\":\"b\",", after: start + file), HostileShape("a", after: start + file + "\"a\":\""),
        HostileShape("9", after: start + "{\"size\":"),
    ]

    /// The octets before the contents, and contents of zeros that are nowhere.
    private struct ImaginedFile: SeedFile {
        var prologue: [UInt8]
        var length: ByteCount

        func read(from offset: Int64, upTo count: Int) -> [UInt8] {
            let known = Array(prologue.dropFirst(Int(clamping: offset)).prefix(count))
            return known.isEmpty ? Array(repeating: 0, count: count) : known
        }
    }

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let index: SeedIndex
        do throws(SeedError) {
            index = try SeedIndex(bytes: input.bytes)
        } catch {
            try claim(!error.message.isEmpty, "refused in words", [error])
            return
        }
        try claim(JSONChecker.isText(input.bytes), "an index is JSON", [input.text])
        var urls: Set<[UInt8]> = []
        var end = index.manifest?.list.upperBound ?? 0
        for file in index.files {
            try claim(urls.insert(Array(file.url.utf8)).inserted, "once", [file.url])
            try claim(TargetURI.resolve(file.url, against: file.url) == file.url, "by RFC 3986 as well", [file.url])
            try claim(file.url.hasPrefix("https://") || file.url.hasPrefix("http://"), "of the web", [file.url])
            try claim(file.region.lowerBound == end, "where the last one ends", [file.region])
            try claim((file.content.size ?? .zero) >= .zero && file.fields.count <= 32, "within limits", [file])
            try claim(file.fields.allSatisfy { SeedEntry.isField($0) }, "fields of a response alone", [file.fields])
            end = file.region.upperBound
        }
        try claim(index.contentLength == end, "the contents end with the last", [end])
        guard let prologue = try? index.prologue() else {
            throw BrokenClaim(description: "what is read can be written: \(input.text)")
        }
        let length = ByteCount(Int64(prologue.count)) + ByteCount(end)
        let seed = try? Seed(ImaginedFile(prologue: prologue, length: length))
        try claim(seed?.index == index, "what is written is read again", [input.text])
        let longer = try? Seed(ImaginedFile(prologue: prologue, length: length + ByteCount(1)))
        try claim(longer == nil, "nothing stands behind the contents", [length])
    }
}
