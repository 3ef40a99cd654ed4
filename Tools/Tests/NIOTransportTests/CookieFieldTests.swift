import CacheEngine
import HTTPTypes
import Testing
import WireSupport

@Suite("RFC 6265 §5.4: the Cookie field", .serialized, .timeLimit(.minutes(60)))
struct CookieFieldTests {
    @Test("all cookies go in one line, however the fields hold them")
    func oneLine() async throws {
        let bench = try TransportBench(
            try await WireOrigin.start(answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"))
        var fields = HTTPFields()
        fields[.cookie] = "a=1; b=2"
        fields.append(HTTPField(name: .cookie, value: "c=3"))
        let outcome = await bench.send("GET", fields: fields)
        #expect(outcome.content == "ok")
        let lines = bench.origin.received.joined().split(separator: "\r\n").filter {
            $0.lowercased().hasPrefix("cookie:")
        }
        #expect(lines == ["Cookie: a=1; b=2; c=3"])
    }
}
