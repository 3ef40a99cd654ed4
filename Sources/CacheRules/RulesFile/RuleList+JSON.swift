extension RuleList {
    /// Rules from a rules file: JSON in UTF-8, as `docs/rules.schema.json` describes it. At most 1 MiB, 1,000 rules, 32
    /// levels, and patterns of 10,000 states together.
    ///
    /// - Throws: Everything that is wrong with the file, with line and column.
    public init(json: some Sequence<UInt8>) throws(RulesFileError) {
        self = try RulesReader.read(Array(json))
    }

    /// The same for a text that is at hand as one.
    public init(json: String) throws(RulesFileError) {
        try self.init(json: json.utf8)
    }

    /// The rules as a file in canonical form: reading it gives equal rules, and writing those the same text.
    ///
    /// - Throws: For rules of other types than ``Rule``, for names and patterns that a file does not take, and for more
    ///   than the limits of ``init(json:)`` allow.
    public func json() throws(RulesFileError) -> String {
        var writer = RulesWriter()
        let file = writer.file(self)
        if !writer.problems.isEmpty { throw RulesFileError(problems: writer.problems) }
        let text = JSONPrinter.print(file)
        do throws(RulesFileError) {
            _ = try RulesReader.read(Array(text.utf8))
        } catch {
            // Limits of a file, which rules made in Swift need not keep to. Its lines say nothing: nobody gets it.
            throw RulesFileError(problems: error.problems.map { .init(code: $0.code, message: $0.message) })
        }
        return text
    }

    /// Takes the rules of a new file, or leaves everything as it is.
    ///
    /// - Throws: What is wrong with the new file; then the rules are the old ones.
    public mutating func update(json: some Sequence<UInt8>) throws(RulesFileError) {
        self = try RuleList(json: json)
    }

    /// The rules as values, which can be compared; `nil` where one is of another type than ``Rule``.
    public var values: [Rule]? {
        let values = rules.compactMap { $0 as? Rule }
        return values.count == rules.count ? values : nil
    }
}
