/// The frame that a message came from, as the web view reports it; nothing in it is taken from the message.
public struct MessageFrame: Hashable, Sendable {
    public var isMainFrame: Bool
    /// Of the frame's origin, in lower case, without a colon; empty for an opaque origin (HTML §7.1.1).
    public var scheme: String
    /// The host of the frame's origin; empty for an opaque origin.
    public var host: String

    public init(isMainFrame: Bool, scheme: String, host: String) {
        self.isMainFrame = isMainFrame
        self.scheme = scheme
        self.host = host
    }
}
