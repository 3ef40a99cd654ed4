import CacheRules
import Testing

@Suite("HashedName: paths, queries and bounds")
struct HashedNameTests {
    static let queries = HashedNameRow.table(
        "mix-manifest.json of Laravel Mix, and its documentation",
        """
        /css/app.css?id={a8b3deb4b7d26dcf51d2} query-item
        /css/app.css?id={68b329da9893e34099c7} query-item
        /js/manifest.js?id={0ecd257e36664d66810f5526fe58d7fc} query-item
        /css/app.css?id={9557d6022d40a7ed11c85166291df504} query-item
        /static/css/app.css?theme=dark&v={b47f3d414476194f6347}#top query-item
        /css/app.css?v=&v={b47f3d414476194f6347}& query-item
        /css/app.css?id=5idpn5fikyiybmyajdwnzh4wjx3ufe98
        /css/app.css?id=some-random-string
        /css/app.css?id=20240131
        /css/app.css?v=1652804759
        /css/app.css?v=6.6
        /css/app.css?v=1.0.0-beta
        /css/app.css?v=deadbeef
        /css/app.css?v=Settings
        /css/app.css?v
        /css/app.css?v=
        /css/app.css?ids=b47f3d414476194f6347
        /css/app.css?ID=b47f3d414476194f6347
        /css/app.css?#id=b47f3d414476194f6347
        /api/app.css?id=b47f3d414476194f6347
        /page?id=b47f3d414476194f6347
        /uploads/photo.jpg?v=b47f3d414476194f6347
        """)

    @Test("the value of a named query item counts, for a static file without a hash of its own", arguments: queries)
    func queryItems(_ row: HashedNameRow) {
        row.check(queryItems: ["id", "v"])
    }

    @Test("without names no query counts", arguments: queries)
    func noQueryItems(_ row: HashedNameRow) {
        #expect(HashedName(path: row.path) == nil)
    }

    @Test("a hash in the file name takes precedence over one in the query")
    func nameFirst() {
        let found = HashedName(path: "/js/app.5d60c2ed348e2db0.js?v=b47f3d414476194f6347", queryItems: ["v"])
        #expect(found?.hash == "5d60c2ed348e2db0")
    }

    @Test(
        "query and fragment are not part of the name",
        arguments: ["?", "?a=b/c.js", "#", "#/x?y", "?dpl=dpl_x#y", "?x=/api/"])
    func suffixes(_ suffix: String) {
        #expect(HashedName(path: "/js/app.5d60c2ed348e2db0.js" + suffix)?.hash == "5d60c2ed348e2db0")
    }

    @Test(
        "any prefix of a path can be read, and any tail of it",
        arguments: [
            "/_next/static/media/1bffadaabf893a1e-s.16ipb6fqu393i.woff2?a=b#c",
            "/_next/static/media/e4af272ccee01ff0-s.p.woff2",
            "/static/21794668-1e4a-4208-841a-854fd8a9ca6a.min.chunk.js.map.gz?v=5d60c2ed348e2db0&v",
            "/caf\u{E9}/\u{1F600}.5d60c2ed348e2db0.js", "-s.p.js", "..-.js", "/_next/static/-s.p.js",
        ])
    func pieces(_ path: String) {
        for end in path.indices {
            for piece in [path[..<end], path[end...]] {
                let found = HashedName(path: String(piece), queryItems: ["v", ""])
                #expect(found.map { piece.contains($0.hash) } != false)
            }
        }
    }

    @Test("a name after non-ASCII octets is found at its place")
    func otherOctets() {
        #expect(HashedName(path: "/caf\u{E9}/\u{1F600}.5d60c2ed348e2db0.js")?.hash == "5d60c2ed348e2db0")
    }

    @Test("a path that is part of another string is found too")
    func part() {
        let line = "GET /js/app.5d60c2ed348e2db0.js HTTP/1.1"
        let path = line.split(separator: " ")[1]
        #expect(HashedName(path: String(path))?.hash == "5d60c2ed348e2db0")
    }
}
