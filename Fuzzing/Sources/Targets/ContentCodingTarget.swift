import HTTPCacheSemantics
import HTTPTypes

/// Content codings, RFC 9110 §12.5.3: a line with `Content-Encoding`, then lines of `Accept-Encoding`.
enum ContentCodingTarget: FuzzTarget {
    static let name = "content-coding"
    static let shapes =
        HostileShape.list(after: "gzip\ngzip;")
        + [HostileShape("gzip;q=0,", after: "gzip\n"), HostileShape("a\n", after: "a\n")]

    private static let negotiated: Set = ["br", "compress", "deflate", "gzip", "x-compress", "x-gzip", "zstd"]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let lines = input.lines
        let response: HTTPFields = [.contentEncoding: lines[0]]
        let request = HTTPFields(lines.dropFirst().map { HTTPField(name: .acceptEncoding, value: $0) })
        func isAcceptable(_ request: HTTPFields, _ response: HTTPFields = response) -> Bool {
            ContentCoding.isAcceptable(response, to: request)
        }
        let answer = isAcceptable(request)
        try claim(isAcceptable([:]), "no Accept-Encoding takes anything", [response])
        try claim(isAcceptable(request, [:]), "no coding suits every request", [request])
        try claim(isAcceptable(request, [.contentEncoding: "identity"]), "nor does identity", [request])
        try claim(isAcceptable([.acceptEncoding: "*"]), "* takes anything", [response])
        try claim(
            isAcceptable(request, [.contentEncoding: lines[0].uppercased()]) == answer
                || !lines[0].utf8.allSatisfy { $0 < 0x80 }, "codings have no case (§8.4.1)", [response, request])
        try claim(isAcceptable(request, response.adding(.contentEncoding, "")) == answer, "empty members", [response])
        let coding = lines[0]
        // A coding with another name is never refused, because it is unknown whether clients negotiate it.
        guard negotiated.contains(coding.lowercased()) else { return }
        try claim(isAcceptable([.acceptEncoding: coding]), "what is asked for", [coding])
        try claim(!isAcceptable([.acceptEncoding: "*, \(coding);q=0.000"]), "what is refused", [coding])
        try claim(!isAcceptable([.acceptEncoding: "*;q=0"]), "anything refused", [coding])
        try claim(isAcceptable([.acceptEncoding: "*;q=0, \(coding);q=0.001"]), "but this one", [coding])
    }
}
