import HTTPTypes

/// The values of one field's lines, in order. A single line needs no array.
enum FieldLines {
    case none
    case one(String)
    /// Two or more.
    case several([String])

    /// All lines.
    var all: [String] {
        switch self {
        case .none: []
        case .one(let line): [line]
        case .several(let lines): lines
        }
    }
}

extension HTTPFields {
    /// Finds the lines of a field in one pass.
    func lines(_ name: HTTPField.Name) -> FieldLines {
        guard let first = position(of: name, from: 0) else { return .none }
        guard position(of: name, from: first + 1) != nil else { return .one(self[first].value) }
        return .several(self[values: name])
    }

    /// The lines of a field as one value, as `subscript` gives it; a single line costs no allocation.
    package func combined(_ name: HTTPField.Name) -> String? {
        guard let first = position(of: name) else { return nil }
        return position(of: name, from: first + 1) == nil ? self[first].value : self[name]
    }

    /// The value of a field's first line; `nil` without a line.
    func firstLine(_ name: HTTPField.Name) -> String? {
        position(of: name, from: 0).map { self[$0].value }
    }

    /// The index of a field's first line at or after `start`; `nil` if there is none. Canonical names are ASCII, so
    /// names of different lengths are different names; most differ in length.
    package func position(of name: HTTPField.Name, from start: Int = 0) -> Int? {
        let canonical = name.canonicalName
        let count = canonical.utf8.count
        var index = start
        while index < endIndex {
            let other = self[index].name.canonicalName
            if other.utf8.count == count, other == canonical { return index }
            index += 1
        }
        return nil
    }
}

/// Reading fields that RFC 9110 §5.6.1 defines as comma-separated lists.
package enum ListField {
    /// The members of all lines of a field, in order, trimmed; empty members are ignored (§5.6.1.2), and
    /// commas inside quoted strings do not separate.
    package static func members(_ lines: [String]) -> [String] {
        var result: [String] = []
        for line in lines {
            var scanner = ByteScanner(line)
            while !scanner.isAtEnd {
                scanner.skipWhitespace()
                let member = trimmed(scanner.text(upTo: [0x2C]))
                if !member.isEmpty { result.append(member) }
                scanner.advance()
            }
        }
        return result
    }

    /// The text without the spaces and tabs at both ends.
    package static func trimmed(_ text: some StringProtocol) -> String {
        // Bytes, not characters: a space and a combining mark after it are one character.
        var view = Substring(text).utf8
        while let last = view.last, last == 0x20 || last == 0x09 { view.removeLast() }
        while let first = view.first, first == 0x20 || first == 0x09 { view.removeFirst() }
        return String(Substring(view))
    }
}

extension HTTPField.Name {
    /// RFC 9211.
    package static let cacheStatus = Self(constant: "Cache-Status")
    /// RFC 9213 §3.
    static let cdnCacheControl = Self(constant: "CDN-Cache-Control")
    /// W3C Clear Site Data §3.1.
    package static let clearSiteData = Self(constant: "Clear-Site-Data")
    static let keepAlive = Self(constant: "Keep-Alive")
    static let proxyConnection = Self(constant: "Proxy-Connection")
    /// draft-ietf-httpbis-no-vary-search.
    package static let noVarySearch = Self(constant: "No-Vary-Search")
    /// RFC 9111 §5.4.
    package static let pragma = Self(constant: "Pragma")
    static let proxyAuthenticationInfo = Self(constant: "Proxy-Authentication-Info")
    /// Fetch Metadata §2.1.
    package static let secFetchDest = Self(constant: "Sec-Fetch-Dest")
    package static let serviceWorker = Self(constant: "Service-Worker")

    /// - Parameter constant: A token.
    package init(constant: StaticString) {
        self = HTTPField.Name("\(constant)") ?? .cacheControl
    }
}

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
