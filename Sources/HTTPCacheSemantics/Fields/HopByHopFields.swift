import HTTPTypes

/// Fields that describe one connection and are never forwarded, RFC 9110 §7.6.1.
package enum HopByHopFields {
    private static let always: Set<HTTPField.Name> = [
        .connection, .keepAlive, .proxyConnection, .te, .transferEncoding, .upgrade,
    ]

    /// Removes `Connection`, every field that it nominates, and the fields that are known to need removal.
    ///
    /// `Proxy-Authenticate` and `Proxy-Authorization` stay: they are for the next proxy, which removes them. `Trailer`
    /// stays: it announces fields and does not frame the message.
    package static func remove(from fields: inout HTTPFields) {
        // Most messages of web views have none of these fields, and without `Connection` none is nominated.
        guard fields.contains(where: { mayBeListed($0.name) }) else { return }
        var names = always
        for member in ListField.members(fields[values: .connection]) {
            // "A sender MUST NOT send a connection option corresponding to a field that is intended for all
            // recipients of the content": the RFC names Cache-Control, so a nomination does not remove it.
            if let name = HTTPField.Name(member), name != .cacheControl { names.insert(name) }
        }
        if fields.contains(where: { names.contains($0.name) }) { fields = fields.filter { !names.contains($0.name) } }
    }

    /// A quick check by length: false only for names that ``always`` does not contain.
    private static func mayBeListed(_ name: HTTPField.Name) -> Bool {
        switch name.canonicalName.utf8.count {
        case 2, 7, 10, 16, 17: always.contains(name)
        default: false
        }
    }
}
