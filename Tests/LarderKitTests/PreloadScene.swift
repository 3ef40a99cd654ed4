import CacheRules
import CacheTesting
import Foundation
import HTTPCacheSemantics
import HTTPTypes
import LarderKit
import Manifests

/// An app and the shop whose pages it preloads.
struct PreloadScene: Sendable {
    static let shop = "https://shop.example/"
    static let fresh: HTTPFields = [.cacheControl: "max-age=3600"]

    let directory: TemporaryDirectory
    let clock = ManualClock()
    let transport = ScriptedTransport()
    let connectivity = ScriptedConnectivity(.connected)
    let key = ManifestSigningKey()

    init() throws { directory = try TemporaryDirectory() }

    /// A process that starts.
    func larder(_ configure: (inout LarderConfiguration) -> Void = { _ in }) throws -> Larder {
        var configuration = LarderConfiguration(directory: URL(fileURLWithPath: directory.store))
        configuration.clock = clock.engineClock
        configuration.connectivitySource = connectivity
        configure(&configuration)
        return try Larder(configuration, transport: transport)
    }

    func state(_ name: String) -> String? { try? String(contentsOfFile: statePath(name), encoding: .utf8) }
    func statePath(_ name: String) -> String { directory.store + "-preloads/" + name }

    static func url(_ path: String) -> URL { URL(test: shop + path) }

    /// Has the shop answer.
    func on(_ path: String, _ text: String, _ fields: HTTPFields = fresh) {
        transport.on(Self.shop + path) { _ in ScriptedTransport.answer(200, fields, body: text) }
    }

    var asked: [String] { transport.requests.map { $0.head.path ?? "" } }

    // MARK: The manifest

    var manifest: LarderManifest {
        var manifest = LarderManifest(
            url: Self.url("larder/head.json"), id: "shop", keys: [key.publicKey?.description ?? ""],
            base: URL(test: Self.shop))
        manifest.appVersion = "2.0"
        return manifest
    }

    /// Publishes a release whose files contain their own paths.
    func publish(
        _ serial: Int64, _ files: [(path: String, group: FileGroup)], pages: [PageNeeds] = [],
        turnsOff: [String] = []
    ) throws {
        let list = ReleaseList(
            release: "r\(serial)", pages: pages,
            files: files.map { file in
                let content = Array(file.path.utf8)
                return ListedFile(
                    path: file.path, digest: BodyDigest(of: content), size: ByteCount(content.count), use: .script,
                    group: file.group)
            })
        let bytes = list.bytes
        for file in files { on(file.path, file.path) }
        transport.on(Self.shop + "larder/" + Release.ListReference(to: bytes).path) { _ in
            ScriptedTransport.answer(200, Self.fresh, body: bytes)
        }
        let head = ManifestHead(
            id: "shop", serial: serial, state: .active, issued: clock.now, expires: clock.now + .seconds(86_400),
            base: Self.shop, turnsOff: turnsOff, releases: [Release(name: list.release, list: .init(to: bytes))])
        var signed = SignedManifest(payload: head.payload)
        try signed.sign(with: key)
        let published = signed.published
        transport.on(Self.shop + "larder/head.json") { _ in
            ScriptedTransport.answer(200, [.cacheControl: "no-cache"], body: published)
        }
    }
}

/// The events of a Larder, one after the other.
struct PreloadWatch {
    private var iterator: AsyncStream<PreloadEvent>.Iterator

    init(_ larder: Larder) { iterator = larder.preloadEvents.makeAsyncIterator() }

    /// Passes over events until one fits.
    mutating func until(_ fits: (PreloadEvent) -> Bool) async {
        while let event = await iterator.next(), !fits(event) {}
    }

    mutating func untilVerified(_ path: String) async {
        await until {
            if case .verified(let item, _, _, _) = $0 { item.url == PreloadScene.shop + path } else { false }
        }
    }

    /// The paths of the next items that are started.
    mutating func started(_ count: Int) async -> [String] {
        var paths: [String] = []
        while paths.count < count, let event = await iterator.next() {
            if case .started(let item, _) = event { paths.append(String(item.url.dropFirst(PreloadScene.shop.count))) }
        }
        return paths
    }
}
