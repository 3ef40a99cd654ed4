import Foundation
import HTTPCacheSemantics
import Manifests
import Testing

/// Keys, an app that pins them, and heads that they sign.
struct Scene {
    let current = ManifestSigningKey()
    let next = ManifestSigningKey()
    let recovery = ManifestSigningKey()
    let stranger = ManifestSigningKey()
    var app: ManifestAcceptance
    /// 2026-11-20T08:00:00Z
    static let issued = WallInstant(unixSeconds: 1_795_161_600)
    static let day = Duration.seconds(86_400)

    init(threshold: Int = 1) throws {
        let pinned = PinnedKeys(
            [try #require(current.publicKey), try #require(next.publicKey)], recovery: recovery.publicKey,
            threshold: threshold)
        app = ManifestAcceptance(
            trust: .pinned(pinned), id: "com.example.shop", base: "https://static.example.com/",
            appVersion: AppVersion("5.2"),
            installID: "3f9c")
    }

    static let list = Release.ListReference(digest: BodyDigest(of: [1]), size: ByteCount(1))

    static func head(
        _ serial: Int64, at issued: WallInstant = Scene.issued, _ change: (inout ManifestHead) -> Void = { _ in }
    ) -> ManifestHead {
        var head = ManifestHead(
            id: "com.example.shop", serial: serial, issued: issued, expires: issued + day * 30,
            base: "https://static.example.com/shop/", releases: [Release(name: "11.3", list: list)])
        change(&head)
        return head
    }

    static func sign(_ payload: [UInt8], _ keys: ManifestSigningKey...) throws -> [UInt8] {
        var manifest = SignedManifest(payload: payload)
        for key in keys { try manifest.sign(with: key) }
        return manifest.published
    }

    /// Signed by the key in use.
    func published(_ head: ManifestHead) throws -> [UInt8] { try Self.sign(head.payload, current) }

    static func text(of state: ManifestState) throws -> String {
        String(decoding: try JSONEncoder().encode(state), as: UTF8.self)
    }

    static func state(_ text: String) -> ManifestState? {
        try? JSONDecoder().decode(ManifestState.self, from: Data(text.utf8))
    }

    func accept(
        _ published: [UInt8], _ state: ManifestState = .init(), clock: WallInstant = Scene.issued,
        responseDate: WallInstant? = nil
    ) throws(ManifestRefusal) -> AcceptedManifest {
        try app.accept(published, state: state, clock: clock, responseDate: responseDate)
    }

    /// - Returns: The code of the refusal; `nil` if the head was accepted.
    func refusal(
        _ published: [UInt8], _ state: ManifestState = .init(), clock: WallInstant = Scene.issued
    ) -> ManifestRefusal.Code? {
        do throws(ManifestRefusal) {
            _ = try accept(published, state, clock: clock)
            return nil
        } catch {
            #expect(error.message.utf8.count > 20 && error.message.hasSuffix("."), "\(error)")
            return error.code
        }
    }
}
