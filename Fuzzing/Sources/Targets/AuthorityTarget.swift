import HTTPCacheSemantics

/// Host and port, RFC 3986 §3.2: the text of an authority.
enum AuthorityTarget: FuzzTarget {
    static let name = "authority"
    static let shapes = [
        HostileShape("a"), HostileShape(":"), HostileShape("9", after: "a:"), HostileShape("["),
        HostileShape(":", after: "["), HostileShape("]", after: "[:"), HostileShape("0", after: "a:"),
    ]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let text = input.text
        guard let authority = Authority(text) else { return }
        try claim(!authority.host.isEmpty, "a host is not empty (RFC 9110 §4.2.1)", [text])
        try claim(authority.host.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "ASCII (RFC 3986 §2)", [authority])
        try claim(authority.port.map { (1...65_535).contains($0) } ?? true, "a port has 16 bits", [authority])
        try claim(Authority(authority.description) == authority, "what is printed is read again", [text, authority])
        try claim(Authority(text.uppercased()) == authority, "the host has no case (RFC 9110 §4.2.3)", [text])
        try claim(Authority("u@" + text) == nil, "userinfo is no part of it (RFC 9110 §4.2.4)", [text])
        let parts = TargetURI.split("http://" + text)
        try claim(parts.map { $0.authority == text } ?? false, "a URI takes it as it is", [text])
    }
}
