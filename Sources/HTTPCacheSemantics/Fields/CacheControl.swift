import HTTPTypes

/// The directives of `Cache-Control`, RFC 9111 §5.2, as received.
///
/// Reading is lenient where the standard asks for it: an argument may be a token or a quoted string (§5.2: "recipients
/// ought to accept both forms"), names compare without case, unknown directives are kept and ignored. The first of
/// several equal directives counts (§4.2.1 allows that, or treating the response as stale).
package struct CacheControl: Hashable, Sendable {
    /// One directive with its argument, `nil` where it has none.
    package struct Directive: Hashable, Sendable {
        /// The name in lower case.
        package var name: String
        /// The argument without quotes; empty if the text after the name does not fit the grammar of §5.2.
        package var argument: String?

        package init(name: String, argument: String? = nil) {
            self.name = name
            self.argument = argument
        }

        /// Names are tokens, so names of different lengths are never equal. Most differ in length.
        func isNamed(_ other: String) -> Bool { name.utf8.count == other.utf8.count && name == other }
    }

    /// All directives in the order of the field.
    package var directives: [Directive]

    package init(_ directives: [Directive] = []) {
        self.directives = directives
    }

    /// Reads every line of the field.
    package init(_ fields: HTTPFields) {
        self.init(fields.lines(.cacheControl))
    }

    /// - Parameter lines: The values of the field's lines, in order.
    package init(lines: [String]) {
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

    /// Reads any line.
    static func appendAny(_ line: String, to directives: inout [Directive]) {
        var scanner = ByteScanner(line)
        while !scanner.isAtEnd {
            scanner.skipWhitespace()
            let name = scanner.token()
            let hasArgument = scanner.take("=")
            var argument = hasArgument ? scanner.quotedString() ?? scanner.token() ?? "" : nil
            // Other text before the next comma, as in `max-age =10` or `max-age=10 20`, makes the argument unreadable.
            // The name still counts: ignoring `no-store foo` would be unsafe.
            if !ListField.trimmed(scanner.text(upTo: [0x2C])).isEmpty { argument = "" }
            if let name { directives.append(Directive(name: name.lowercased(), argument: argument)) }
            scanner.advance()
        }
    }

    /// Whether a directive is present, with or without an argument.
    package func has(_ name: String) -> Bool {
        directives.contains { $0.isNamed(name) }
    }

    /// The first occurrence of a directive.
    package func first(_ name: String) -> Directive? {
        directives.first { $0.isNamed(name) }
    }

    /// A directive whose argument is a number of seconds.
    package func seconds(_ name: String) -> Seconds {
        guard let directive = first(name) else { return .absent }
        guard let argument = directive.argument, let value = DeltaSeconds.parse(argument) else { return .invalid }
        return .value(value)
    }

    /// The argument of a directive with delta-seconds.
    package enum Seconds: Hashable, Sendable {
        case absent
        /// Present but not `1*DIGIT`: §4.2.1 encourages caches to consider such a response stale.
        case invalid
        case value(Duration)

        /// The duration of ``value(_:)``; `nil` for the other cases.
        package var value: Duration? {
            if case .value(let duration) = self { return duration }
            return nil
        }
    }

    /// The field names that the qualified forms of `no-cache` or `private` list, in all such directives together
    /// (§5.2.2.4, §5.2.2.7); `nil` if the directive is absent or unqualified.
    package func qualifiedFieldNames(_ name: String) -> [HTTPField.Name]? {
        let arguments = directives.filter { $0.name == name }.compactMap(\.argument)
        guard !arguments.isEmpty else { return nil }
        return ListField.members(arguments).compactMap { HTTPField.Name($0) }
    }

    /// Whether the directive is present and applies to the whole response, not only to listed fields.
    ///
    /// A list that can't be obeyed by leaving fields out counts as the whole response: an empty list, one with a member
    /// that is not a field name, and one that names a field by which reuse is decided.
    package func hasUnqualified(_ name: String) -> Bool {
        directives.contains { directive in
            guard directive.isNamed(name) else { return false }
            guard let argument = directive.argument else { return true }
            let members = ListField.members([argument])
            return members.isEmpty
                || members.contains { HTTPField.Name($0).map(Self.fieldsThatDecide.contains) ?? true }
        }
    }

    /// Fields that determine age, freshness and selection, so that they can't be left out of a stored response.
    static let fieldsThatDecide: Set<HTTPField.Name> = [.age, .cacheControl, .date, .expires, .vary]
}

extension CacheControl {
    /// Reads a usual line in place: directives that are a token, or two tokens with `=` between them.
    ///
    /// Takes a third of the time of ``appendAny(_:to:)`` (docs/benchmarks.md), which also reads quoted strings and
    /// malformed directives. Both return the same directives for a line that this function reads.
    ///
    /// - Returns: False, and nothing appended, for any other line.
    static func appendPlain(_ line: String, to directives: inout [Directive]) -> Bool {
        let before = directives.count
        let isPlain = line.utf8.withContiguousStorageIfAvailable { appendPlain($0, to: &directives) } ?? false
        if !isPlain { directives.removeSubrange(before...) }
        return isPlain
    }

    private static func appendPlain(_ bytes: UnsafeBufferPointer<UInt8>, to directives: inout [Directive]) -> Bool {
        // One allocation for a usual line.
        if directives.isEmpty { directives.reserveCapacity(6) }
        var position = 0
        while true {
            position = bytes.endOfWhitespace(from: position)
            if position == bytes.count { return true }
            if bytes[position] != 0x2C {
                let name = position..<bytes.endOfToken(from: position)
                position = name.upperBound
                var argument: String?
                if position < bytes.count, bytes[position] == 0x3D {
                    let token = position + 1..<bytes.endOfToken(from: position + 1)
                    argument = bytes.text(token)
                    position = token.upperBound
                }
                position = bytes.endOfWhitespace(from: position)
                if name.isEmpty || (position < bytes.count && bytes[position] != 0x2C) { return false }
                directives.append(Directive(name: lowercasedName(name, in: bytes), argument: argument))
            }
            if position < bytes.count { position += 1 }
        }
    }

    /// The name in lower case. Strings of up to 15 octets need no allocation, nor do literals.
    private static func lowercasedName(_ range: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) -> String {
        if bytes.matches("stale-while-revalidate", in: range) { return "stale-while-revalidate" }
        if bytes.matches("proxy-revalidate", in: range) { return "proxy-revalidate" }
        let name = bytes.text(range)
        return range.contains { (0x41...0x5A).contains(bytes[$0]) } ? name.lowercased() : name
    }
}

extension CacheControl.Directive: CustomStringConvertible {
    /// The directive as §5.2 writes it: a name, and behind `=` a token or else a quoted-string.
    ///
    /// Empty when the name is no token. A control character, which no quoted-string can carry, becomes a space
    /// (RFC 9110 §5.5 replaces CR, LF and NUL that way).
    package var description: String {
        guard !name.isEmpty, name.utf8.allSatisfy(ByteScanner.isTokenByte) else { return "" }
        guard let argument else { return name }
        let isToken = !argument.isEmpty && argument.utf8.allSatisfy(ByteScanner.isTokenByte)
        return name + "=" + (isToken && !isList ? argument : Self.quoted(argument))
    }

    /// "A sender SHOULD NOT generate the token form (even if quoting appears not to be needed …)", §5.2.2.4, §5.2.2.7.
    private var isList: Bool { name == "no-cache" || name == "private" }

    /// RFC 9110 §5.6.4.
    private static func quoted(_ argument: String) -> String {
        var text: [UInt8] = [0x22]
        for byte in argument.utf8 {
            if byte == 0x22 || byte == 0x5C { text.append(0x5C) }
            text.append((byte < 0x20 && byte != 0x09) || byte == 0x7F ? 0x20 : byte)
        }
        return String(decoding: text + [0x22], as: UTF8.self)
    }
}

extension CacheControl: CustomStringConvertible {
    /// The value of one field line. ``init(lines:)`` reads the same directives from it, as long as their names are
    /// tokens in lower case and their arguments have no control characters.
    package var description: String {
        directives.map(\.description).filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

/// Cache directives for one class of caches, RFC 9213: fields like `CDN-Cache-Control` that replace `Cache-Control` and
/// `Expires` in the caches that they are meant for.
package enum TargetedCacheControl {
    /// The target list (§2.2) of a shared cache: `CDN-Cache-Control` alone (§3). A private cache has an empty one.
    package static let sharedCacheTargets: [HTTPField.Name] = [.cdnCacheControl]

    /// The directives of the first field of a target list with a valid, non-empty value (§2.2).
    ///
    /// §2.1 maps directives to types, and values of other types are ignored: a directive is left out if its value is
    /// false, a Decimal, a negative Integer, an inner list or one of RFC 9651's further types, and `max-age` and
    /// similar directives with anything but an Integer. Parameters are ignored.
    ///
    /// - Parameter names: The target list, the most applicable name first.
    /// - Returns: The directives that replace `Cache-Control` and `Expires`, even if none of them could be read; `nil`
    ///   if those two fields decide.
    package static func directives(_ fields: HTTPFields, names: [HTTPField.Name]) -> CacheControl? {
        for name in names {
            guard fields.firstLine(name) != nil,
                let members = StructuredField.dictionary(lines: fields[values: name]), !members.isEmpty
            else { continue }
            return CacheControl(members.compactMap { directive($0.key, $0.member) })
        }
        return nil
    }

    /// Directives whose argument is delta-seconds: RFC 9111 §5.2.2.1 and §5.2.2.10, RFC 5861 §3 and §4.
    private static let durations: Set<String> = ["max-age", "s-maxage", "stale-if-error", "stale-while-revalidate"]

    private static func directive(_ name: String, _ member: StructuredField.Member) -> CacheControl.Directive? {
        guard case .item(let item) = member else { return nil }
        if case .integer(let number) = item.value {
            return number < 0 ? nil : CacheControl.Directive(name: name, argument: String(number))
        }
        // "the max-age directive … has an integer value", so `max-age="60"` is ignored.
        guard !durations.contains(name) else { return nil }
        switch item.value {
        case .boolean(true): return CacheControl.Directive(name: name)
        case .string(let text), .token(let text): return CacheControl.Directive(name: name, argument: text)
        default: return nil
        }
    }
}

/// The directives that govern a response in a kind of cache: `Cache-Control`, or a targeted field instead of it.
package struct CachingDirectives: Hashable, Sendable {
    package var control: CacheControl
    /// Whether a targeted field replaces `Cache-Control`. Then `Expires` does not count either: "the cache MUST ignore
    /// the Cache-Control and Expires header fields in that response" (RFC 9213 §2.2).
    package var isTargeted: Bool

    /// Only shared caches honour targeted fields: `CDN-Cache-Control` is meant for them (RFC 9213 §3.1).
    package init(_ fields: HTTPFields, in kind: CacheKind) {
        let targeted =
            kind == .shared
            ? TargetedCacheControl.directives(fields, names: TargetedCacheControl.sharedCacheTargets) : nil
        control = targeted ?? CacheControl(fields)
        isTargeted = targeted != nil
    }
}
