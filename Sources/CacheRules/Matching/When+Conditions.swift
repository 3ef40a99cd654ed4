import HTTPTypes

extension When {
    /// The host: `example.com` is that host alone, `*.example.com` every subdomain but not the domain itself, `*` any;
    /// with `:8080` only that port. The case of ASCII letters is ignored.
    public static func host(_ patterns: String...) -> When { host(patterns) }
    /// The same with an array.
    public static func host(_ patterns: [String]) -> When {
        When(.host(patterns.map { HostPattern($0) }))
    }

    /// The path begins with one of these: `/api/` matches `/api/x`, not `/apiary`.
    public static func pathPrefix(_ prefixes: String...) -> When { pathPrefix(prefixes) }
    /// The same with an array.
    public static func pathPrefix(_ prefixes: [String]) -> When {
        When(.pathPrefix(prefixes.map { Array($0.utf8) }))
    }

    /// The whole path, without the query: `*` is any run of octets within a segment, `**` across segments, `?` one
    /// octet other than a slash, `{a,b}` either; `\` escapes the character after it.
    public static func path(_ globs: String...) -> When { path(globs) }
    /// The same with an array.
    public static func path(_ globs: [String]) -> When {
        // Braces that a rules file would refuse stand for themselves.
        let patterns = globs.flatMap { GlobPattern.spelledOut($0) ?? [$0] }
        return When(.path(patterns.map { GlobPattern($0, isPath: true) }))
    }

    /// The name of the file has a content hash from a build tool; see docs/rules.md. False for a host that is known to
    /// have sent other bytes under such a name.
    ///
    /// - Parameter queryItems: Names of query items whose value may also be the hash; none by default.
    public static func hashedName(queryItems: [String] = []) -> When { When(.hashedName(queryItems)) }

    /// The file extension: the text after the last dot of the path's last segment, without case.
    public static func fileExtension(_ names: String...) -> When { fileExtension(names) }
    /// The same with an array.
    public static func fileExtension(_ names: [String]) -> When {
        When(.fileExtension(names.map { Array($0.asciiLowercased.utf8) }))
    }

    /// The query has an item of this name, with or without a value.
    public static func query(_ name: String) -> When { When(.query(QueryItemPattern(name, nil))) }
    /// The query has an item of this name whose value matches one of these; `*` is any run of octets, `?` any one.
    public static func query(_ name: String, _ values: String...) -> When { query(name, values) }
    /// The same with an array.
    public static func query(_ name: String, _ values: [String]) -> When {
        When(.query(QueryItemPattern(name, values)))
    }

    /// The method; methods are case-sensitive (RFC 9110 §9.1).
    public static func method(_ methods: HTTPRequest.Method...) -> When { method(methods) }
    /// The same with an array.
    public static func method(_ methods: [HTTPRequest.Method]) -> When { When(.method(methods)) }

    /// The request's destination.
    public static func destination(_ destinations: Destination...) -> When { destination(destinations) }
    /// The same with an array.
    public static func destination(_ destinations: [Destination]) -> When { When(.destination(destinations)) }

    /// The network or the device has one of these traits; see ``Connectivity/has(_:)``.
    public static func connectivity(_ traits: Connectivity.Trait...) -> When { connectivity(traits) }
    /// The same with an array.
    public static func connectivity(_ traits: [Connectivity.Trait]) -> When { When(.connectivity(traits)) }

    /// The request has this field.
    public static func requestHeader(_ name: HTTPField.Name) -> When { When(.requestHeader(name, nil)) }
    /// The request has a line of this field whose value matches one of these; `*` is any run of octets, `?` any one.
    public static func requestHeader(_ name: HTTPField.Name, _ values: String...) -> When {
        requestHeader(name, values)
    }
    /// The same with an array.
    public static func requestHeader(_ name: HTTPField.Name, _ values: [String]) -> When {
        When(.requestHeader(name, values.map { GlobPattern($0, isPath: false) }))
    }

    // MARK: Unknown until there is a response

    /// The response's media type: `text/css`, `image/*`; parameters do not count.
    public static func contentType(_ types: String...) -> When { contentType(types) }
    /// The same with an array.
    public static func contentType(_ types: [String]) -> When {
        When(.contentType(types.map { MediaTypePattern($0) }))
    }

    /// The response has this field.
    public static func responseHeader(_ name: HTTPField.Name) -> When { When(.responseHeader(name, nil)) }
    /// The response has a line of this field whose value matches one of these; `*` is any run of octets, `?` any one.
    public static func responseHeader(_ name: HTTPField.Name, _ values: String...) -> When {
        responseHeader(name, values)
    }
    /// The same with an array.
    public static func responseHeader(_ name: HTTPField.Name, _ values: [String]) -> When {
        When(.responseHeader(name, values.map { GlobPattern($0, isPath: false) }))
    }

    /// The freshness that the response states.
    public static func freshness(_ stated: StatedFreshness) -> When { When(.freshness(stated)) }

    // MARK: Combinations

    /// All of these hold.
    public static func all(_ conditions: When...) -> When { all(conditions) }
    /// The same with an array.
    public static func all(_ conditions: [When]) -> When { When(.all(sorted(conditions))) }

    /// At least one of these holds.
    public static func any(_ conditions: When...) -> When { any(conditions) }
    /// The same with an array.
    public static func any(_ conditions: [When]) -> When { When(.any(conditions)) }

    /// These do not all hold.
    public static func not(_ conditions: When...) -> When { not(conditions) }
    /// The same with an array.
    public static func not(_ conditions: [When]) -> When { When(.not(conjunction(conditions))) }
}
