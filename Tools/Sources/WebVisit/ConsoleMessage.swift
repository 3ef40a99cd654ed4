/// A warning or an error from the page's console.
package struct ConsoleMessage: Hashable, Sendable, Codable {
    /// How grave it is.
    package enum Level: String, Hashable, Sendable, Codable, CaseIterable {
        case warning, error
    }

    /// How grave the message is.
    package var level: Level
    /// The writer: `console` for the page's own calls; `js`, `security`, `network` for the web
    /// view.
    package var source: String
    /// The message, without its place; may have several lines.
    package var text: String
    /// The place as `URL:line:column`, if known.
    package var location: String?

    /// A message with its place.
    package init(level: Level, source: String, text: String, location: String? = nil) {
        self.level = level
        self.source = source
        self.text = text
        self.location = location
    }
}
