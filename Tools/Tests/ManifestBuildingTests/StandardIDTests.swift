import ManifestBuilding
import Testing

@Suite("The id of a manifest that was given none")
struct StandardIDTests {
    @Test(
        "is the host, and the port where it is not the scheme's: two projects on one machine have two ids",
        arguments: [
            ("http://localhost:8000/", "localhost-8000"),
            ("http://localhost:8001/larder/head.json", "localhost-8001"),
            ("http://localhost/", "localhost"), ("http://localhost:80/", "localhost"),
            ("https://static.example.com/shop/", "static.example.com"),
            ("https://static.example.com:443/", "static.example.com"),
            ("https://static.example.com:8443/", "static.example.com-8443"),
            ("https://static.example.com:80/", "static.example.com-80"),
            ("http://127.0.0.1:8000/", "127.0.0.1-8000"),
            ("http://[::1]:8000/", nil), ("http://[::1]/", nil), ("nothing", nil),
        ] as [(String, String?)])
    func id(_ url: String, _ id: String?) {
        #expect(StandardID.of(url) == id)
    }
}
