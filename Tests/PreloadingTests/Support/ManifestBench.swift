import CacheTesting
import Foundation
import HTTPCacheSemantics
import HTTPTypes
import Manifests
import Testing

@testable import CacheEngine
@testable import Preloading

/// A publisher and one installation, over a ``PreloadBench``.
struct ManifestBench: Sendable {
    static let url = "https://shop.test/m/head.json"
    static let lists = "https://shop.test/m/"
    static let base = "https://shop.test/larder/"

    let bench: PreloadBench
    let key = ManifestSigningKey()
    let recovery = ManifestSigningKey()
    private let directory: TemporaryDirectory
    /// What the installation remembers.
    let states: PreloadStateFiles
    let source: ManifestSource
    let preload: ManifestPreload

    init(_ bench: PreloadBench) throws {
        self.bench = bench
        directory = try TemporaryDirectory()
        states = PreloadStateFiles(folder: directory.path + "/state")
        let keys = PinnedKeys([try #require(key.publicKey)], recovery: recovery.publicKey)
        let acceptance = ManifestAcceptance(
            trust: .pinned(keys), id: "shop", base: "https://shop.test/", appVersion: AppVersion("2.0"),
            installID: "installation")
        source = ManifestSource(url: Self.url, acceptance: acceptance)
        preload = ManifestPreload(source, queue: bench.queue, states: states)
    }

    var state: ManifestState? { get throws { try states.manifestState(of: "shop") } }

    /// Has nothing be kept any more, or again: what is kept can be read.
    func setBroken(_ isBroken: Bool) throws {
        let lock = states.folder + "/lock"
        try? FileManager.default.removeItem(atPath: lock)
        if isBroken { try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: true) }
    }

    static func list(_ files: [(path: String, text: String)], release: String = "1") -> ReleaseList {
        ReleaseList(
            release: release,
            files: files.map { file in
                let content = Array(file.text.utf8)
                return ListedFile(
                    path: file.path, digest: BodyDigest(of: content), size: ByteCount(content.count), use: .script)
            })
    }

    func head(
        _ serial: Int64, _ list: ReleaseList?, state: PublicationState = .active, expires: Duration = .seconds(86_400),
        minimumApp: AppVersion? = nil, revokes: [String] = []
    ) -> ManifestHead {
        ManifestHead(
            id: "shop", serial: serial, state: state, issued: bench.clock.now, expires: bench.clock.now + expires,
            base: Self.base, revokes: revokes,
            releases: list.map {
                [Release(name: $0.release, minimumApp: minimumApp, list: .init(to: $0.bytes))]
            } ?? [])
    }

    func signed(_ head: ManifestHead, by keys: [ManifestSigningKey]? = nil) throws -> [UInt8] {
        var manifest = SignedManifest(payload: head.payload)
        for key in keys ?? [key] { try manifest.sign(with: key) }
        return manifest.published
    }

    /// Puts bytes where the head is looked for.
    func publish(head bytes: [UInt8]) {
        let tag = "\"\(BodyDigest(of: bytes))\""
        bench.transport.on(Self.url) { request in
            request.head.headerFields[.ifNoneMatch] == tag
                ? ScriptedTransport.answer(304, [.eTag: tag])
                : ScriptedTransport.answer(200, [.eTag: tag, .cacheControl: "no-cache"], body: bytes)
        }
    }

    func publish(_ list: ReleaseList) {
        let bytes = list.bytes
        bench.transport.on(Self.lists + Release.ListReference(to: bytes).path) { _ in
            ScriptedTransport.answer(200, [.cacheControl: "max-age=31536000, immutable"], body: bytes)
        }
    }

    func publish(files: [(path: String, text: String)]) {
        for file in files {
            bench.answer("/larder/" + file.path, 200, [.cacheControl: "max-age=31536000"], body: file.text)
        }
    }

    /// Publishes a release, and has the installation fetch it.
    @discardableResult
    func release(_ serial: Int64, _ files: [(path: String, text: String)]) async throws -> ManifestUpdate {
        let list = Self.list(files, release: "r\(serial)")
        publish(files: files)
        publish(list)
        publish(head: try signed(head(serial, list)))
        let update = try await preload.update()
        await bench.queue.run()
        return update
    }

    /// Whether a page gets a file without the network; then it is quiet for a while, so that preloading goes on.
    func isHit(_ path: String, text: String? = nil) async throws -> Bool {
        let answer = await bench.page("/larder/" + path)
        let isHit = answer.cacheStatus.isHit
        let content = try await bench.text(answer)
        bench.clock.advance(by: .seconds(1))
        return isHit && (text == nil || text == content)
    }

    func pins() async throws -> [String] {
        try await bench.cache.store.pins(of: PreloadQueue.holder("shop")).map(\.uri).sorted()
    }
}
