import CacheRules

/// Where a command has its rules from: what `--rules` takes.
package enum RulesSource: Hashable, Sendable {
    /// The rules that web views get.
    case webViewDefaults
    /// No rules.
    case protocolOnly
    /// A rules file, or `-` for standard input.
    case file(String)
    /// The text of one.
    case text(String)

    /// - Parameter argument: `default`, `none` or `protocol` for no rules, or a path; a file of such a name is
    ///   `./default`.
    package init(_ argument: String) {
        self =
            switch argument {
            case "default": .webViewDefaults
            case "none", "protocol": .protocolOnly
            default: argument.hasPrefix("{") ? .text(argument) : .file(argument)
            }
    }

    /// The same for another process, which can't read this one's standard input.
    ///
    /// - Throws: As ``rules()`` does, so that a wrong file is told here.
    package static func passedOn(_ argument: String) throws -> String {
        let rules = try RulesSource(argument).rules()
        return argument == "-" ? try rules.json() : argument
    }

    /// - Throws: ``HostError`` where the file can't be read, ``UnusableRules`` where it is wrong.
    package func rules() throws -> RuleList {
        switch self {
        case .webViewDefaults: .webViewDefaults
        case .protocolOnly: .protocolOnly
        case .file(let path): try RulesDocument.read(path).rules()
        case .text(let text): try RulesDocument(name: "<rules>", bytes: Array(text.utf8)).rules()
        }
    }

    /// Whether reading it once more can find something else: not so for what is built in, and standard input is used
    /// up.
    package var canChange: Bool {
        switch self {
        case .webViewDefaults, .protocolOnly, .file("-"), .text: false
        case .file: true
        }
    }

    /// In words, for a sentence.
    package var name: String {
        switch self {
        case .webViewDefaults: "the default rules"
        case .protocolOnly: "RFC 9111 alone"
        case .file("-"): "standard input"
        case .file(let path): path
        case .text: "the given text"
        }
    }
}
