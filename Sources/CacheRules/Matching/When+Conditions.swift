import HTTPTypes

extension When {
    /// The host: `example.com` is that host alone, `*.example.com` every host below it but not itself, `*` any; with
    /// `:8080` only that port. ASCII letters in either case are the same.
    public static func host(_ patterns: String...) -> When { host(patterns) }
    /// The same for what is at hand as a list.
    public static func host(_ patterns: [String]) -> When {
        When(.host(Alternatives(patterns.map { HostPattern($0) }) { $0.gateDomain.map(Gate.names(host:)) ?? .empty }))
    }

    /// The path begins with one of these: `/api/` fits `/api/x`, not `/apiary`.
    public static func pathPrefix(_ prefixes: String...) -> When { pathPrefix(prefixes) }
    /// The same for what is at hand as a list.
    public static func pathPrefix(_ prefixes: [String]) -> When {
        When(.pathPrefix(Alternatives(prefixes.map { Array($0.utf8) }, names: Gate.names(pathPrefix:))))
    }

    /// The whole path, without the query: `*` is any run of octets within a segment, `**` across segments, `?` one
    /// octet that is no slash; `\` takes the meaning of the character behind it away.
    public static func path(_ globs: String...) -> When { path(globs) }
    /// The same for what is at hand as a list.
    public static func path(_ globs: [String]) -> When {
        When(.path(Alternatives(globs.map { GlobPattern($0, isPath: true) }, names: \.segments)))
    }

    /// The name of the file has a content hash, as build tools write it; see ``HashedName``. False for a host that was
    /// found to send other bytes under such a name.
    ///
    /// - Parameter queryItems: Names of query items whose value may be the hash as well; none unless given.
    public static func hashedName(queryItems: [String] = []) -> When { When(.hashedName(queryItems)) }

    /// What follows the last dot of the last segment of the path, without the dot, in either case.
    public static func fileExtension(_ names: String...) -> When { fileExtension(names) }
    /// The same for what is at hand as a list.
    public static func fileExtension(_ names: [String]) -> When {
        When(.fileExtension(Alternatives(names.map { Array($0.asciiLowercased.utf8) }) { NameSet($0) }))
    }

    /// The target URI, `https://example.com/path?query`, the scheme and the host in lower case, has a part that fits.
    ///
    /// - Throws: ``RegularExpression/Failure`` for a pattern that is none, or that is not understood.
    public static func regularExpression(_ patterns: String...) throws(RegularExpression.Failure) -> When {
        var expressions: [RegularExpression] = []
        for pattern in patterns { expressions.append(try RegularExpression(pattern)) }
        return regularExpression(expressions)
    }
    /// The same for what is at hand as a list.
    public static func regularExpression(_ expressions: [RegularExpression]) -> When {
        When(.regularExpression(expressions))
    }

    /// The query has an item of this name, with or without a value.
    public static func query(_ name: String) -> When { When(.query(QueryItemPattern(name, nil))) }
    /// The query has an item of this name whose value fits one of these; `*` is any run of octets, `?` any one.
    public static func query(_ name: String, _ values: String...) -> When { query(name, values) }
    /// The same for what is at hand as a list.
    public static func query(_ name: String, _ values: [String]) -> When {
        When(.query(QueryItemPattern(name, values)))
    }

    /// The method, in its own spelling: methods tell A from a (RFC 9110 §9.1).
    public static func method(_ methods: HTTPRequest.Method...) -> When { method(methods) }
    /// The same for what is at hand as a list.
    public static func method(_ methods: [HTTPRequest.Method]) -> When { When(.method(methods)) }

    /// What the response is for.
    public static func destination(_ destinations: Destination...) -> When { destination(destinations) }
    /// The same for what is at hand as a list.
    public static func destination(_ destinations: [Destination]) -> When { When(.destination(destinations)) }

    /// The network or the device has one of these traits; see ``Connectivity/has(_:)``.
    public static func connectivity(_ traits: Connectivity.Trait...) -> When { connectivity(traits) }
    /// The same for what is at hand as a list.
    public static func connectivity(_ traits: [Connectivity.Trait]) -> When { When(.connectivity(traits)) }

    /// The request has such a field.
    public static func requestHeader(_ name: HTTPField.Name) -> When { When(.requestHeader(name, nil)) }
    /// The request has such a field line whose value fits one of these; `*` is any run of octets, `?` any one.
    public static func requestHeader(_ name: HTTPField.Name, _ values: String...) -> When {
        requestHeader(name, values)
    }
    /// The same for what is at hand as a list.
    public static func requestHeader(_ name: HTTPField.Name, _ values: [String]) -> When {
        When(.requestHeader(name, values.map { GlobPattern($0, isPath: false) }))
    }

    // MARK: Not known before there is a response

    /// The response's media type: `text/css`, `image/*`; parameters do not count.
    public static func contentType(_ types: String...) -> When { contentType(types) }
    /// The same for what is at hand as a list.
    public static func contentType(_ types: [String]) -> When {
        When(.contentType(types.map { MediaTypePattern($0) }))
    }

    /// The response has such a field.
    public static func responseHeader(_ name: HTTPField.Name) -> When { When(.responseHeader(name, nil)) }
    /// The response has such a field line whose value fits one of these; `*` is any run of octets, `?` any one.
    public static func responseHeader(_ name: HTTPField.Name, _ values: String...) -> When {
        responseHeader(name, values)
    }
    /// The same for what is at hand as a list.
    public static func responseHeader(_ name: HTTPField.Name, _ values: [String]) -> When {
        When(.responseHeader(name, values.map { GlobPattern($0, isPath: false) }))
    }

    /// What the response says about its own freshness.
    public static func freshness(_ stated: StatedFreshness) -> When { When(.freshness(stated)) }

    // MARK: Joined

    /// All of these hold.
    public static func all(_ conditions: When...) -> When { all(conditions) }
    /// The same for what is at hand as a list.
    public static func all(_ conditions: [When]) -> When { When(.all(sorted(conditions))) }

    /// At least one of these holds.
    public static func any(_ conditions: When...) -> When { any(conditions) }
    /// The same for what is at hand as a list.
    public static func any(_ conditions: [When]) -> When { When(.any(AnyOf(conditions))) }

    /// These do not all hold.
    public static func not(_ conditions: When...) -> When { not(conditions) }
    /// The same for what is at hand as a list.
    public static func not(_ conditions: [When]) -> When { When(.not(conjunction(conditions))) }
}
