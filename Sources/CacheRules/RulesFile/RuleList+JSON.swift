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

    /// Replaces the rules by those of a new file.
    ///
    /// - Throws: The mistakes of the new file; then the rules stay as they are.
    package mutating func update(json: some Sequence<UInt8>) throws(RulesFileError) {
        self = try RuleList(json: json)
    }

    /// The rules as comparable values; `nil` if one is not a ``Rule``.
    package var values: [Rule]? {
        let values = rules.compactMap { $0 as? Rule }
        return values.count == rules.count ? values : nil
    }
}
