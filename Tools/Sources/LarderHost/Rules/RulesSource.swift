import CacheRules

/// Where a command has its rules from: what `--rules` takes.
package enum RulesSource: Hashable, Sendable {
    /// The rules that web views get.
    case webViewDefaults
    /// No rules.
    case protocolOnly
    /// A rules file, or `-` for standard input.
    case file(String)

    /// - Parameter argument: `default`, `none` or `protocol` for no rules, or a path; a file of such a name is
    ///   `./default`.
    package init(_ argument: String) {
        self =
            switch argument {
            case "default": .webViewDefaults
            case "none", "protocol": .protocolOnly
            default: .file(argument)
            }
    }

    /// - Throws: ``HostError`` where the file can't be read, ``UnusableRules`` where it is wrong.
    package func rules() throws -> RuleList {
        switch self {
        case .webViewDefaults: .webViewDefaults
        case .protocolOnly: .protocolOnly
        case .file(let path): try RulesDocument.read(path).rules()
        }
    }

    /// Whether reading it once more can find something else: not so for what is built in, and standard input is used
    /// up.
    package var canChange: Bool {
        switch self {
        case .webViewDefaults, .protocolOnly, .file("-"): false
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
        }
    }
}
