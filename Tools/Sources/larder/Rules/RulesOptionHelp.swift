import ArgumentParser
import LarderHost

/// The help of --rules, the same everywhere.
enum RulesOptionHelp {
    private static let choices = "A rules file, default for the rules that web views get, or none for RFC 9111 alone"

    static let byDefault = ArgumentHelp(
        "\(choices). Without it: default. (larder proxy defaults to none; give both commands the same --rules.)",
        valueName: "file")
    static let protocolUnlessGiven = ArgumentHelp(
        """
        \(choices). Without it: none. (larder open and explain default to default; give both commands the same \
        --rules.)
        """,
        valueName: "file")

    /// Said when a proxy starts without --rules.
    static let proxyWithoutRules =
        "This proxy decides by RFC 9111 alone, because --rules was not given. 'larder explain --rules none URL' "
        + "explains its answers; '--rules default' would give it the rules of larder open and explain."

    /// How to make a proxy decide as the explanation says.
    ///
    /// - Parameter argument: The argument of --rules, given or not.
    static func sameProxy(_ argument: String) -> String {
        RulesSource(argument) == .protocolOnly
            ? "larder proxy without --rules decides by the same."
            : "larder proxy decides by the same with --rules \(argument); without it, by RFC 9111 alone."
    }
}
