import HTTPCacheSemantics
import Manifests

/// A list of a manifest: its bytes.
enum ManifestListTarget: FuzzTarget {
    static let name = "manifest-list"
    private static let base = "https://a.test/shop/"
    private static let start = "{\"larderList\":1,\"release\":\"a\",\"files\":["
    static let shapes = [
        HostileShape("["), HostileShape("{\"a\":"), HostileShape("\"a\":1,", after: "{"),
        HostileShape("{},", after: start),
        HostileShape(
            "{\"path\":\"a\",\"sha256\":\"0000000000000000000000000000000000000000000000000000000000000000\",\"size\":1},",
            after: start),
        HostileShape("a/", after: start + "{\"path\":\""), HostileShape("%41", after: start + "{\"path\":\""),
        HostileShape("\"a\",", after: "{\"larderList\":1,\"release\":\"a\",\"ignoreQuery\":["),
        HostileShape("{\"match\":\"a\",\"needs\":[]},", after: "{\"larderList\":1,\"release\":\"a\",\"pages\":["),
        HostileShape("9", after: start + "{\"size\":"),
    ]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let list: ReleaseList
        do throws(ManifestRefusal) {
            list = try ReleaseList(
                accepting: input.bytes, named: Release.ListReference(to: input.bytes), base: base)
        } catch {
            try claim(!error.message.isEmpty && error.code != .listHash, "refused in words", [error])
            return
        }
        try claim(JSONChecker.isText(input.bytes), "a list is JSON", [input.text])
        var urls: Set<[UInt8]> = []
        for file in list.files {
            let url = file.url(base: base)
            try claim(url.utf8.starts(with: base.utf8), "below the base", [file.path])
            try claim(TargetURI.resolve(file.path, against: base) == url, "by RFC 3986 as well", [file.path])
            try claim(urls.insert(Array(url.utf8)).inserted, "once", [file.path])
            try claim(file.size >= .zero, "a size", [file])
        }
        try claim(
            (try? ReleaseList(bytes: list.bytes, base: base)) == list, "what is written is read again", [input.text])
    }
}
