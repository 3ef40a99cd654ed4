import Foundation
import HTTPCacheSemantics
import ManifestBuilding
import Manifests
import Testing

@Suite("What is published is what apps accept, in order")
struct PublicationTests {
    private let site: SampleFolder
    private let key = ManifestSigningKey()
    private let app: ManifestAcceptance

    init() throws {
        site = try SampleFolder(["a.js": "1", "b.css": "2"])
        let pinned = PinnedKeys([try #require(key.publicKey)])
        app = ManifestAcceptance(trust: .pinned(pinned), id: "shop", base: SampleFolder.base, installID: "3f9c")
    }

    private func publish(_ release: String, keep: Int = 3, permyriad: Int? = nil) throws -> ManifestHead {
        try site.publication().publish(
            site.builder().list(release: release), base: SampleFolder.base, id: "shop", permyriad: permyriad, keep: keep
        ).head
    }

    private func accept(_ state: ManifestState = .init()) throws -> AcceptedManifest {
        var (signed, _) = try site.manifest.existingHead()
        try signed.sign(with: key)
        return try app.accept(signed.published, state: state, clock: SampleFolder.now)
    }

    @Test("each release has the next serial; the last three stay, and their lists")
    func releases() throws {
        var state = ManifestState()
        for (number, content) in ["1", "2", "3", "4"].enumerated() {
            try site.write("a.js", content)
            let head = try publish("r\(content)")
            #expect(head.serial == Int64(number + 1))
            let accepted = try accept(state)
            #expect(accepted.release?.name == "r\(content)")
            state = accepted.state
        }
        let head = try site.manifest.existingHead().head
        #expect(head.releases.map(\.name) == ["r2", "r3", "r4"])
        #expect(head.releases.allSatisfy { site.manifest.list($0.list) != nil })
        let lists = try FileManager.default.contentsOfDirectory(atPath: site.manifest.path + "/lists")
        #expect(lists.count == 3, "the list of r1 is gone")
    }

    @Test("a rollback names the older list under a higher serial")
    func rollback() throws {
        _ = try publish("r1")
        try site.write("a.js", "new")
        _ = try publish("r2", permyriad: 10_000)
        let state = try accept().state
        let head = try site.publication().change([.rollBack(to: "r1")])
        #expect(head.serial == 3)
        #expect(try accept(state).release?.name == "r1")
        let error = #expect(throws: ManifestToolError.self) { try site.publication().change([.rollBack(to: "r2")]) }
        #expect(error?.message.contains("'r1'") == true)
    }

    @Test("a growing rollout keeps its salt; a finished one leaves it out")
    func rollout() throws {
        _ = try publish("r1")
        #expect(try publish("r2", permyriad: 500).releases.last?.rollout == Rollout(permyriad: 500, salt: "r2"))
        let more = try site.publication().change([.rollOut(permyriad: 5_000)])
        #expect(more.releases.last?.rollout == Rollout(permyriad: 5_000, salt: "r2"))
        #expect(try site.publication().change([.rollOut(permyriad: 10_000)]).releases.last?.rollout == nil)
    }

    @Test("documents go to all or to none: a page has one address")
    func rolloutOfDocuments() throws {
        try site.write("index.html", "<title>1</title>")
        var builder = try site.builder()
        builder.listsDocuments = true
        let list = try builder.list(release: "r1")
        func publish(_ permyriad: Int?) throws {
            _ = try site.publication().publish(list, base: SampleFolder.base, id: "shop", permyriad: permyriad)
        }
        for permyriad in [0, 500, 9_999] {
            let error = #expect(throws: ManifestToolError.self) { try publish(permyriad) }
            #expect(error?.message.contains("a page has one address") == true)
            #expect(try site.manifest.head() == nil, "nothing is published")
        }
        try publish(10_000)
        #expect(throws: ManifestToolError.self) { try site.publication().change([.rollOut(permyriad: 5_000)]) }
        #expect(try site.publication().change([.rollOut(permyriad: 10_000)]).releases.last?.rollout == nil)
    }

    @Test("a change drops signatures, moves the times and raises the serial; the state is the one asked for")
    func change() throws {
        _ = try publish("r1")
        var (signed, first) = try site.manifest.existingHead()
        try signed.sign(with: key)
        try site.manifest.write(signed)
        let id = try #require(key.publicKey?.id)
        let head = try site.publication(days: 7).change([.state(.off), .revoke([id, id])])
        #expect(head.state == .off && head.revokes == [id] && head.serial == 2)
        #expect(
            head.issued == first.issued + .seconds(7 * 86_400)
                && head.expires == head.issued + ManifestPublication.lifetime)
        #expect(try site.manifest.existingHead().signed.signatures.isEmpty)
        #expect(try site.publication().change([.revokeNone, .state(.active)]).revokes.isEmpty)
        first = head
    }

    @Test("a serial that is not higher is refused, and the head stays as it was")
    func serial() throws {
        _ = try publish("r1")
        var publication = site.publication()
        publication.serial = 1
        #expect(throws: ManifestToolError.self) { try publication.change([]) }
        publication.serial = 412
        #expect(try publication.change([]).serial == 412)
        #expect(try publish("r2").serial == 413)
    }

    @Test(
        "what no app would accept is not published",
        arguments: [
            ("http://static.example.com/", "shop"), ("https://static.example.com", "shop"), (SampleFolder.base, "a b"),
        ])
    func unacceptable(base: String, id: String) throws {
        let list = try site.builder().list(release: "r1")
        #expect(throws: ManifestToolError.self) { try site.publication().publish(list, base: base, id: id) }
        #expect(try site.manifest.publishedHead() == nil)
    }

    @Test("the same files again are the same list")
    func again() throws {
        _ = try publish("r1")
        let result = try site.publication().publish(site.builder().list(release: "r1"), base: SampleFolder.base)
        #expect(result.isSameList && result.head.releases.count == 1 && result.head.id == "shop")
    }

    @Test(
        "shares of installations",
        arguments: [
            ("0", 0, "0%"), ("5", 500, "5%"), ("5%", 500, "5%"), ("0.25", 25, "0.25%"), ("12.5%", 1_250, "12.5%"),
            ("0.05", 5, "0.05%"), ("100", 10_000, "100%"),
        ])
    func shares(_ text: String, _ permyriad: Int, _ printed: String) {
        #expect(RolloutShare(text)?.permyriad == permyriad)
        #expect(RolloutShare(text)?.description == printed)
    }

    @Test(
        "no shares",
        arguments: ["", "%", "-1", "101", "100.01", "1.", ".5", "0.001", "1e1", "5 %", "9999999999999999999"])
    func noShares(_ text: String) { #expect(RolloutShare(text) == nil) }
}
