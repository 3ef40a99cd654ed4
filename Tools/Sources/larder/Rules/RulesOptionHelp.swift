import ArgumentParser

/// What --rules takes, said the same everywhere.
enum RulesOptionHelp {
    static let byDefault = ArgumentHelp(
        "A rules file, default for the rules that web views get, or none (or protocol) for RFC 9111 alone.",
        valueName: "file")
    static let protocolUnlessGiven = ArgumentHelp(
        "A rules file, or default for the rules that web views get; without it, or by none, RFC 9111 alone decides.",
        valueName: "file")
}
