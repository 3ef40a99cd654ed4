import HTTPCacheSemantics
import Manifests
import Testing

@Suite("The last release whose conditions hold")
struct ReleaseChoiceTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var app: String?
        var minimums: [String?]
        /// The index of the release; `nil` for `app-too-old`.
        var chosen: Int?
        var testDescription: String { "\(app ?? "-") of \(minimums)" }
    }

    @Test(
        "by the app's version",
        arguments: [
            Row(app: "5.2", minimums: [nil, nil], chosen: 1), Row(app: "5.2", minimums: [nil, "5.2"], chosen: 1),
            Row(app: "5.2", minimums: [nil, "5.2.0"], chosen: 1), Row(app: "5.2", minimums: [nil, "5.10"], chosen: 0),
            Row(app: "5.10", minimums: [nil, "5.2"], chosen: 1), Row(app: nil, minimums: [nil, "0"], chosen: 0),
            Row(app: "5.2", minimums: ["6", "5.3"], chosen: nil),
            Row(app: "5.2.1", minimums: ["5.2", "5.3"], chosen: 0),
        ])
    func versions(_ row: Row) throws {
        var scene = try Scene()
        scene.app.appVersion = row.app.flatMap { AppVersion($0) }
        let releases = row.minimums.enumerated().map {
            Release(name: "\($0.offset)", minimumApp: $0.element.flatMap { AppVersion($0) }, list: Scene.list)
        }
        let accepted = try scene.accept(scene.published(Scene.head(1) { $0.releases = releases }))
        #expect(accepted.release?.name == row.chosen.map(String.init))
        if row.chosen == nil {
            guard case .nothing(let reason) = accepted.choice else { return #expect(Bool(false)) }
            #expect(reason.code == .appTooOld)
        }
    }

    @Test("versions", arguments: ["", ".", "5.", "5..2", "-1", "5.2-beta", "٥", "1.2.3.4.5.6.7.8.9", "9999999999"])
    func noVersion(_ text: String) { #expect(AppVersion(text) == nil) }

    /// Python: int.from_bytes(hashlib.sha256(b"larder-rollout-1\0" + b"\0".join([install, id, salt])).digest()[:8]) %
    /// 10000
    @Test(
        "the bucket is the documented one",
        arguments: [
            ("3f9c", "com.example.shop", "11.4", 4001), ("", "a", "b", 4899),
            ("\u{E9}", "com.example.shop", "11.4", 1333),
        ])
    func bucket(install: String, id: String, salt: String, bucket: Int) {
        #expect(Rollout.bucket(installID: install, manifestID: id, salt: salt) == bucket)
    }

    @Test("who has a release keeps it while its part grows, and the parts are as large as stated")
    func growing() {
        let ids = (0..<20_000).map { "install-\($0)" }
        var before: Set<String> = []
        for permyriad in [0, 1, 500, 2_500, 10_000] {
            let rollout = Rollout(permyriad: permyriad, salt: "11.4")
            let part = Set(ids.filter { rollout.includes(installID: $0, manifestID: "a") })
            #expect(part.isSuperset(of: before))
            #expect(abs(part.count - permyriad * 2) <= 300, "\(part.count) for \(permyriad)")
            before = part
        }
        #expect(before.count == ids.count)
    }

    @Test("another salt or manifest chooses others")
    func independent() {
        let ids = (0..<20_000).map { "install-\($0)" }
        let one = Rollout(permyriad: 1_000, salt: "11.4")
        let first = ids.filter { one.includes(installID: $0, manifestID: "a") }
        let both = first.filter { Rollout(permyriad: 1_000, salt: "11.5").includes(installID: $0, manifestID: "a") }
        let other = first.filter { one.includes(installID: $0, manifestID: "b") }
        #expect(abs(both.count - 200) < 80 && abs(other.count - 200) < 80, "\(both.count) \(other.count)")
    }

    @Test("outside the rollout the release before it is used, or none")
    func staged() throws {
        var scene = try Scene()
        let rollout = Rollout(permyriad: 5_000, salt: "11.4")
        let new = Release(name: "11.4", rollout: rollout, list: Scene.list)
        for number in 0..<40 {
            scene.app.installID = "install-\(number)"
            let isFirst = rollout.includes(installID: scene.app.installID, manifestID: "com.example.shop")
            let staged = try scene.accept(scene.published(Scene.head(1) { $0.releases.append(new) }))
            #expect(staged.release?.name == (isFirst ? "11.4" : "11.3"))
            let only = try scene.accept(scene.published(Scene.head(1) { $0.releases = [new] }))
            #expect(only.choice == (isFirst ? .release(new) : .notYet))
        }
    }
}
