import CachingProxy
import HTTPCacheSemantics
import Locking
import OriginDialing
import WebVisit

/// Which leaf certificates the web view has been told to accept, and has confirmed.
///
/// A page opens several connections to a host at once. All of them wait until the web view has confirmed the leaf: a
/// handshake that overtakes the confirmation is refused, and the resource behind it missing from the page.
final class LeafTrust: Sendable {
    private struct State {
        var process: WebViewProcess?
        var leaves: [String: String] = [:]
        var confirmations: [String: Task<Void, Never>] = [:]

        mutating func keep(_ host: String, _ certificatePEM: String, _ limit: Int) {
            if leaves[host] == nil, leaves.count >= limit, let other = leaves.keys.first {
                leaves[other] = nil
                confirmations[other] = nil
            }
            leaves[host] = certificatePEM
        }
    }

    private let state = LockedBox(State())
    /// A page can name any number of hosts. A leaf that is forgotten is confirmed once more than needed.
    private static let limit = 256

    /// Leaves that a web view process is told of when it starts.
    var known: [TrustedLeaf] {
        state.withLock { $0.leaves }.map { TrustedLeaf(host: $0.key, certificatePEM: $0.value) }
    }

    /// Adds the leaf of a page's own host before a visit begins: that host is known beforehand, so its first handshake
    /// need not wait for an answer.
    func addHost(of url: String, _ authority: CertificateAuthority) throws {
        guard let parts = TargetURI.split(url), parts.scheme == "https",
            let host = OriginDialer.Endpoint(authority: parts.authority, isSecure: true)?.host
        else { return }
        let certificate = try authority.leafPEM(for: host)
        state.withLock { $0.keep(host, certificate, Self.limit) }
    }

    /// From now on this process is asked; `nil` when the visit is over.
    func use(_ process: WebViewProcess?) {
        state.withLock { state in
            state.process = process
            state.confirmations = [:]
        }
    }

    /// Returns when the web view accepts the leaf for the host.
    func confirm(host: String, certificatePEM: String) async {
        let confirmation = state.withLock { state -> Task<Void, Never>? in
            if state.leaves[host] == certificatePEM { return state.confirmations[host] }
            state.keep(host, certificatePEM, Self.limit)
            guard let process = state.process else { return nil }
            let task = Task { await process.trust(host: host, certificatePEM: certificatePEM) }
            state.confirmations[host] = task
            return task
        }
        await confirmation?.value
    }
}
