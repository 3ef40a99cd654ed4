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
        /// The argument without quotes.
        public var argument: String?

        public init(name: String, argument: String? = nil) {
            self.name = name
            self.argument = argument
        }
    }

    /// All directives in the order of the field.
    public var directives: [Directive]

    public init(_ directives: [Directive] = []) {
        self.directives = directives
    }

    /// Reads every line of the field.
    public init(_ fields: HTTPFields) {
        self.init(lines: fields[values: .cacheControl])
    }

    /// - Parameter lines: The values of the field's lines, in order.
    public init(lines: [String]) {
        directives = []
        for line in lines {
            var scanner = ByteScanner(line)
            while !scanner.isAtEnd {
                scanner.skipWhitespace()
                if let name = scanner.token() {
                    let argument = Self.argument(&scanner)
                    directives.append(Directive(name: name.lowercased(), argument: argument))
                }
                // Whatever follows a directive up to the next comma is no part of the grammar and is skipped.
                _ = scanner.text(upTo: [0x2C])
                scanner.advance()
            }
        }
    }

    private static func argument(_ scanner: inout ByteScanner) -> String? {
        guard scanner.peek == 0x3D else { return nil }
        scanner.advance()
        if let quoted = scanner.quotedString() { return quoted }
        return ListField.trimmed(scanner.text(upTo: [0x2C]))
    }

    /// Whether a directive is present, with or without an argument.
    public func has(_ name: String) -> Bool {
        directives.contains { $0.name == name }
    }

    /// The first occurrence of a directive.
    public func first(_ name: String) -> Directive? {
        directives.first { $0.name == name }
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
    }

    /// The field names that the qualified form of `no-cache` or `private` lists (§5.2.2.4, §5.2.2.7);
    /// `nil` when the directive is absent or unqualified.
    public func qualifiedFieldNames(_ name: String) -> [HTTPField.Name]? {
        guard let argument = first(name)?.argument else { return nil }
        return ListField.members([argument]).compactMap { HTTPField.Name($0) }
    }

    /// Whether the directive is present and applies to the whole response, not to listed fields only.
    public func hasUnqualified(_ name: String) -> Bool {
        directives.contains { $0.name == name && $0.argument == nil }
    }
}
