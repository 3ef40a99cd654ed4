import StrictJSON

extension RuleList {
    /// Rules from a rules file: JSON in UTF-8, as `docs/rules.schema.json` describes it. At most 1 MiB, 1,000 rules, 32
    /// levels, and patterns of 10,000 states together.
    ///
    /// - Throws: All mistakes of the file, with line and column.
    public init(json: some Sequence<UInt8>) throws(RulesFileError) {
        self = try RulesReader.read(Array(json))
    }

    /// The same for a string.
    public init(json: String) throws(RulesFileError) {
        try self.init(json: json.utf8)
    }

    /// The rules as a file in canonical form: reading it gives equal rules, and printing those gives the same text.
    ///
    /// - Throws: If there are rules of types other than ``Rule``, names or patterns that a file does not accept, or
    ///   more than the limits of ``init(json:)`` allow.
    public func json() throws(RulesFileError) -> String {
        var writer = RulesWriter()
        let file = writer.file(self)
        if !writer.problems.isEmpty { throw RulesFileError(problems: writer.problems) }
        let text = JSONPrinter.print(file)
        do throws(RulesFileError) {
            _ = try RulesReader.read(Array(text.utf8))
        } catch {
            // Limits of a file, which rules made in Swift may exceed. Its lines are left out: the caller never sees it.
            throw RulesFileError(problems: error.problems.map { .init(code: $0.code, message: $0.message) })
        }
        return text
    }
}

extension Rule {
    /// The fault of a name, and advice; `nil` if it is valid.
    static func problem(name: String) -> String? {
        let isName = name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
        if isName, (1...64).contains(name.utf8.count) { return nil }
        return "A rule's name has 1 to 64 lower-case letters, digits and hyphens, as in \"api-path\"."
    }

    static func problem(tag: String) -> String? {
        let isTag = tag.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F } && (1...64).contains(tag.utf8.count)
        return isTag ? nil : "A tag has 1 to 64 octets without spaces."
    }

    static func problem(pathPrefix: String) -> String? {
        if pathPrefix.utf8.first == 0x2F { return nil }
        return "A path begins with \"/\" and has no scheme, host or query."
    }

    static func problem(path: String) -> String? {
        if let problem = GlobPattern(path, isPath: true).pathProblem { return problem }
        if GlobPattern.spelledOut(path) != nil { return nil }
        return "Braces are closed, stand in no others and give at most 32 paths, as in \"/{news,sports}/**\"; write "
            + "\"\\{\" for the character."
    }

    static func problem(fileExtension: String) -> String? {
        let isExtension = !fileExtension.isEmpty && !fileExtension.contains(".") && !fileExtension.contains("/")
        return isExtension ? nil : "A file extension has no dot, as in \"js\"; of \"x.min.js\" it is \"js\"."
    }

    /// A word for yes or no would be taken for the name of a query item, where `true` or `false` is meant.
    static func problem(hashedNameItem name: String) -> String? {
        guard ["true", "false", "yes", "no", "on", "off"].contains(name.lowercased()) else { return nil }
        return "\"\(name)\" would be the name of a query item; for every name with a content hash write true without "
            + "quotation marks."
    }
}

extension When {
    /// Why a rules file can't express it or a part of it; `nil` if it can.
    var problem: String? {
        switch kind {
        case .host(let patterns): patterns.lazy.compactMap(\.problem).first
        case .fileExtension(let names):
            names.lazy.compactMap { Rule.problem(fileExtension: String(decoding: $0, as: UTF8.self)) }.first
        case .pathPrefix(let prefixes):
            prefixes.lazy.compactMap { Rule.problem(pathPrefix: String(decoding: $0, as: UTF8.self)) }.first
        case .path(let globs): globs.lazy.compactMap { Rule.problem(path: $0.text) }.first
        case .contentType(let types): types.lazy.compactMap(\.problem).first
        case .hashedName(let items): items.lazy.compactMap { Rule.problem(hashedNameItem: $0) }.first
        case .all(let inner), .any(let inner), .not(let inner): inner.lazy.compactMap(\.problem).first
        case .connectivity, .method, .destination, .query, .requestHeader, .freshness,
            .responseHeader:
            nil
        }
    }
}
