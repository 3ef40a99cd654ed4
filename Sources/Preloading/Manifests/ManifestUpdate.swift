import HTTPCacheSemantics
import Manifests

/// The result of looking for a newer manifest.
public struct ManifestUpdate: Hashable, Sendable {
    /// ``ManifestHead/serial``.
    public var serial: Int64
    /// Whether the head is the one that was accepted last.
    public var isUnchanged: Bool
    public var outcome: Outcome

    public enum Outcome: Hashable, Sendable {
        /// The files of this release are in the queue.
        case queued(release: String, files: Int, size: ByteCount)
        /// Nothing is fetched, and what is held stays: `paused` or `app-too-old`.
        case held(ManifestRefusal)
        /// No release is rolled out to this installation yet; what is held stays.
        case notYet
        /// The publisher has switched the manifest off: its pins are gone.
        case unpinned(ManifestRefusal)
    }
}

/// Why there is no newer manifest. What was accepted before, and what it brought, stays in force.
public struct ManifestUpdateError: Error, Sendable, CustomStringConvertible {
    public var code: Code
    /// The problem and its remedy.
    package var message: String
    public var cause: (any Error)?

    package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        (self.code, self.message, self.cause) = (code, message, cause)
    }

    package init(_ refusal: ManifestRefusal) {
        self.init(.refused(refusal.code), refusal.message, cause: refusal)
    }

    /// `serial-older: The head has the serial 3, and …`
    public var description: String { "\(code): \(message)" }

    /// The kind of an error. Its description is its name in logs and under `--json`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String

        /// There is no network.
        package static var offline: Self { .init(description: "offline") }
        /// The user wants little traffic (Low Data Mode).
        package static var constrained: Self { .init(description: "constrained") }
        /// The server did not answer, took too long, or answered with a redirect or an error.
        package static var unavailable: Self { .init(description: "unavailable") }
        /// The task was cancelled.
        package static var cancelled: Self { .init(description: "cancelled") }
        /// The accepted state can't be read or kept.
        package static var stateLost: Self { .init(description: "state") }
        /// The store can't be written.
        package static var storeFailed: Self { .init(description: "store") }
        /// The head or the list is refused.
        package static func refused(_ code: ManifestRefusal.Code) -> Self { .init(description: code.description) }
    }
}

/// Where a manifest is published, and on whose word its lists are fetched.
package struct ManifestSource: Sendable {
    /// The URL of the head, https; http on loopback only.
    package var url: String
    package var acceptance: ManifestAcceptance
    /// The origin of the pages that use the files, such as `https://shop.test`; `nil` for the base's own.
    package var pageOrigin: String?
    /// As in ``PreloadItem/site``: the site of those pages if the files are on another site and a scheme handler
    /// answers the pages; else empty, as behind a proxy.
    package var site: String

    package init(url: String, acceptance: ManifestAcceptance, pageOrigin: String? = nil, site: String = "") {
        self.url = url
        self.acceptance = acceptance
        self.pageOrigin = pageOrigin
        self.site = site
    }
}
