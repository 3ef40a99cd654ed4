import HTTPTypes

/// Fields that describe one connection and never travel further, RFC 9110 §7.6.1.
public enum HopByHopFields {
    private static let always: Set<HTTPField.Name> = [
        .connection, .keepAlive, .proxyConnection, .te, .transferEncoding, .upgrade,
    ]

    /// Removes `Connection`, every field that it nominates, and the fields that are known to need removal.
    ///
    /// `Proxy-Authenticate` and `Proxy-Authorization` stay: they are for the next proxy, and whoever is that
    /// proxy removes them. `Trailer` stays: it announces, and does not frame.
    public static func remove(from fields: inout HTTPFields) {
        // Most messages of web views have none of them, and without `Connection` nothing is nominated.
        guard fields.contains(where: { mayBeListed($0.name) }) else { return }
        var names = always
        for member in ListField.members(fields[values: .connection]) {
            // "A sender MUST NOT send a connection option corresponding to a field that is intended for all
            // recipients of the content": Cache-Control is named there, so it can't be taken away this way.
            if let name = HTTPField.Name(member), name != .cacheControl { names.insert(name) }
        }
        if fields.contains(where: { names.contains($0.name) }) { fields = fields.filter { !names.contains($0.name) } }
    }

    /// False only for names that ``always`` does not hold: their lengths tell.
    private static func mayBeListed(_ name: HTTPField.Name) -> Bool {
        switch name.canonicalName.utf8.count {
        case 2, 7, 10, 16, 17: always.contains(name)
        default: false
        }
    }
}
