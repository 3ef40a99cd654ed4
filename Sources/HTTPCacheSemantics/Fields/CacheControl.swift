import HTTPTypes

/// The directives of `Cache-Control`, RFC 9111 §5.2, as they were received.
///
/// Reading is lenient where the standard asks for it: argument forms are accepted as token and as quoted string
/// (§5.2: "recipients ought to accept both forms"), names compare without case, unknown directives are kept and
/// ignored. The first of several equal directives counts (§4.2.1 allows that, or treating the response as stale).
public struct CacheControl: Hashable, Sendable {
    /// One directive with its argument, `nil` where it has none.
    public struct Directive: Hashable, Sendable {
        /// The name in lower case.
        public var name: String
        /// The argument without quotes; empty where what follows the name does not fit the grammar of §5.2.
        public var argument: String?

        public init(name: String, argument: String? = nil) {
            self.name = name
            self.argument = argument
        }

        /// Names are tokens, so that two of different lengths are never equal. Most differ in that.
        func isNamed(_ other: String) -> Bool { name.utf8.count == other.utf8.count && name == other }
    }

    /// All directives in the order of the field.
    public var directives: [Directive]

    public init(_ directives: [Directive] = []) {
        self.directives = directives
    }

    /// Reads every line of the field.
    public init(_ fields: HTTPFields) {
        self.init(fields.lines(.cacheControl))
    }

    /// - Parameter lines: The values of the field's lines, in order.
    public init(lines: [String]) {
        directives = []
        for line in lines { append(line) }
    }

    init(_ lines: FieldLines) {
        directives = []
        switch lines {
        case .none: break
        case .one(let line): append(line)
        case .several(let lines): for line in lines { append(line) }
        }
    }

    private mutating func append(_ line: String) {
        if !Self.appendPlain(line, to: &directives) { Self.appendAny(line, to: &directives) }
    }

    /// Reads a line of whatever form.
    static func appendAny(_ line: String, to directives: inout [Directive]) {
        var scanner = ByteScanner(line)
        while !scanner.isAtEnd {
            scanner.skipWhitespace()
            let name = scanner.token()
            let hasArgument = scanner.take("=")
            var argument = hasArgument ? scanner.quotedString() ?? scanner.token() ?? "" : nil
            // What else stands before the next comma, such as the rest of `max-age =10` or `max-age=10 20`,
            // makes the argument unreadable. The name counts: ignoring `no-store foo` would be the unsafe choice.
            if !ListField.trimmed(scanner.text(upTo: [0x2C])).isEmpty { argument = "" }
            if let name { directives.append(Directive(name: name.lowercased(), argument: argument)) }
            scanner.advance()
        }
    }

    /// Whether a directive is present, with or without an argument.
    public func has(_ name: String) -> Bool {
        directives.contains { $0.isNamed(name) }
    }

    /// The first occurrence of a directive.
    public func first(_ name: String) -> Directive? {
        directives.first { $0.isNamed(name) }
    }

    /// A directive whose argument is a number of seconds.
    public func seconds(_ name: String) -> Seconds {
        guard let directive = first(name) else { return .absent }
        guard let argument = directive.argument, let value = DeltaSeconds.parse(argument) else { return .invalid }
        return .value(value)
    }

    /// What a directive with a delta-seconds argument said.
    public enum Seconds: Hashable, Sendable {
        case absent
        /// Present but not `1*DIGIT`: §4.2.1 encourages caches to consider such a response stale.
        case invalid
        case value(Duration)

        /// The number where there is one.
        public var value: Duration? {
            if case .value(let duration) = self { return duration }
            return nil
        }
    }

    /// The field names that the qualified forms of `no-cache` or `private` list, of all such directives together
    /// (§5.2.2.4, §5.2.2.7); `nil` when the directive is absent or unqualified.
    public func qualifiedFieldNames(_ name: String) -> [HTTPField.Name]? {
        let arguments = directives.filter { $0.name == name }.compactMap(\.argument)
        guard !arguments.isEmpty else { return nil }
        return ListField.members(arguments).compactMap { HTTPField.Name($0) }
    }

    /// Whether the directive is present and applies to the whole response, not to listed fields only.
    ///
    /// A list that can't be obeyed by leaving fields out counts as the whole response: an empty one, one with a
    /// member that is no field name, and one that names a field which reuse itself is decided by.
    public func hasUnqualified(_ name: String) -> Bool {
        directives.contains { directive in
            guard directive.isNamed(name) else { return false }
            guard let argument = directive.argument else { return true }
            let members = ListField.members([argument])
            return members.isEmpty
                || members.contains { HTTPField.Name($0).map(Self.fieldsThatDecide.contains) ?? true }
        }
    }

    /// Fields that age, freshness and selection are computed from, so that a response without them is another one.
    static let fieldsThatDecide: Set<HTTPField.Name> = [.age, .cacheControl, .date, .expires, .vary]
}
