import Manifests
import Testing

@Suite("The id of a manifest that was given none")
struct StandardIDTests {
    @Test(
        "is the host, and the port where it is not the scheme's: two projects on one machine have two ids",
        arguments: [
            ("http://localhost:8000/", "localhost-8000", "localhost"),
            ("http://localhost:8001/larder/head.json", "localhost-8001", "localhost"),
            ("http://localhost/", "localhost", "localhost"), ("http://localhost:80/", "localhost", "localhost"),
            ("https://static.example.com/shop/", "static.example.com", "static.example.com"),
            ("https://static.example.com:443/", "static.example.com", "static.example.com"),
            ("https://static.example.com:8443/", "static.example.com-8443", "static.example.com"),
            ("https://static.example.com:80/", "static.example.com-80", "static.example.com"),
            ("http://127.0.0.1:8000/", "127.0.0.1-8000", "127.0.0.1"),
            ("http://[::1]:8000/", nil, nil), ("http://[::1]/", nil, nil), ("nothing", nil, nil),
        ] as [(String, String?, String?)])
    func id(_ url: String, _ id: String?, _ host: String?) {
        #expect(StandardID.of(url) == id)
        #expect(StandardID.withoutPort(url) == host)
    }
}
