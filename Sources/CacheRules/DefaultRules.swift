extension RuleList {
    /// The defaults for web views, in order of precedence. What `open`, `demo` and apps run.
    public static let webViewDefaults = RuleList([
        DisconnectedRule(),
        // Answers of such paths are personal or momentary; without a word from the server they are not stored.
        PathPrefixRule(
            name: "api-path", prefixes: ["/api/", "/user/", "/realtime/"], verdict: .storeOnlyIfExplicit),
    ])
}
