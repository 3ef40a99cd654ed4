import CachingProxy
import Testing

@Suite("leaves of the authority")
struct LeafLimitTests {
    @Test("as many as are kept: the one that was asked for longest ago is made anew, the others stay")
    func limit() throws {
        let authority = try CertificateAuthority(inMemoryWith: .system)
        let (first, second) = (try authority.leafPEM(for: "first.test"), try authority.leafPEM(for: "second.test"))
        for number in 1...(256 - 1) {
            _ = try authority.leafPEM(for: "h\(number).test")
            #expect(try authority.leafPEM(for: "second.test") == second)
        }
        #expect(try authority.leafPEM(for: "first.test") != first)
        #expect(try authority.leafPEM(for: "second.test") == second)
    }
}
