import HTTPCacheSemantics
import HTTPTypes
import Testing

@Suite("RFC 9110 §7.6.1 Connection")
struct HopByHopFieldsTests {
    static let messages: [Row<[String], [String]>] = [
        Row(["ETag: \"a\""], ["etag: \"a\""], "end-to-end fields stay"),
        Row(["Connection: close"], [], "\"remove the Connection header field itself\""),
        Row(["Connection: X-Hop", "X-Hop: 1", "X-End: 2"], ["x-end: 2"], "\"for each connection-option … remove\""),
        Row(["X-Hop: 1", "X-Hop: 2", "Connection: x-hop"], [], "connection options are case-insensitive"),
        Row(["Connection: A,, B", "Connection: C", "A: 1", "B: 2", "C: 3", "D: 4"], ["d: 4"], "1#connection-option"),
        Row(["Proxy-Connection: keep-alive", "Keep-Alive: timeout=5"], [], "\"known to require removal\""),
        Row(["TE: trailers", "Transfer-Encoding: chunked", "Upgrade: h2c"], [], "\"known to require removal\""),
        Row(
            ["Connection: cache-control", "Cache-Control: no-store"], ["cache-control: no-store"],
            "\"Cache-Control is never appropriate as a connection option\""),
        Row(["Connection: not a name, X", "X: 1"], [], "an option that is no field name removes nothing else"),
    ]

    @Test("fields of the connection are removed, and those it nominates", arguments: messages)
    func remove(_ row: Row<[String], [String]>) {
        var fields = HTTPFields(lines: row.given)
        HopByHopFields.remove(from: &fields)
        #expect(fields.linesByName == row.expected)
    }
}
