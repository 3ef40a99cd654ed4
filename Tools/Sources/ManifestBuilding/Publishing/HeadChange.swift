import HTTPCacheSemantics
import Manifests

/// A decision about releases that are published already: no file of the site is uploaded for it.
package enum HeadChange: Hashable, Sendable {
    case state(PublicationState)
    /// Makes this release the last one, by leaving out those behind it.
    case rollBack(to: String)
    /// The part of the installations that get the last release; 10,000 is all.
    case rollOut(permyriad: Int)
    case revoke([String])
    /// States no revocation any more. Devices that know one keep it.
    case revokeNone
    /// The parts that apps turn off from now on, see `ManifestHead.turnsOff`; nothing for an empty list.
    case turnOff([String])

    func apply(to head: inout ManifestHead) throws(ManifestToolError) {
        switch self {
        case .state(let state): head.state = state
        case .rollBack(let name):
            guard let index = head.releases.lastIndex(where: { $0.name == name }) else {
                let names = head.releases.map { "'\($0.name)'" }.joined(separator: ", ")
                throw ManifestToolError("There is no release '\(name)' in the head; there are \(names).")
            }
            head.releases.removeSubrange((index + 1)...)
            // A release that everybody shall have again is no longer staged.
            head.releases[index].rollout = nil
        case .rollOut(let permyriad):
            guard let last = head.releases.indices.last else {
                throw ManifestToolError("The head has no release to roll out; 'larder manifest build' makes one.")
            }
            let salt = head.releases[last].rollout?.salt ?? head.releases[last].name
            head.releases[last].rollout = permyriad >= 10_000 ? nil : Rollout(permyriad: permyriad, salt: salt)
        case .revokeNone: head.revokes = []
        case .turnOff(let names): head.turnsOff = names
        case .revoke(let ids): for id in ids where !head.revokes.contains(id) { head.revokes.append(id) }
        }
    }
}

extension ManifestPublication {
    /// Publishes the last head anew, with these changes in their order; with none, only its times are new.
    package func change(_ changes: [HeadChange]) throws(ManifestToolError) -> ManifestHead {
        try republish { head throws(ManifestToolError) in
            for change in changes { try change.apply(to: &head) }
        }
    }
}
