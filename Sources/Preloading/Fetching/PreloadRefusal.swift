import CacheRules

/// Why something was not fetched, or not kept.
public struct PreloadRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The names are those of reports and of the tool's output.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// It is no http or https URL.
        case invalidURL = "invalid-url"
        /// The status is neither 200 nor a redirect.
        case status
        /// A redirect leads to another host or port, or from https to http.
        case redirectedOffHost = "redirected-off-host"
        case tooManyRedirects = "too-many-redirects"
        /// The certificate is not trusted, or TLS fails.
        case tls
        /// The response is of another type than it has to be.
        case type
        /// It is longer than stated, or than anything that is fetched ahead.
        case sizeExceeded = "size-exceeded"
        /// The connection broke off again and again.
        case truncated
        /// The content is another one.
        case hashMismatch = "hash-mismatch"
        /// The server sends parts of different contents under one tag, again and again; or the page has another tag
        /// once its files have come, so that they may be of two releases.
        case validatorChanged = "validator-changed"
        /// The content expands beyond all reason.
        case bomb
        /// The content is damaged, so that its coding can't be taken off.
        case damaged
        /// The content can't be verified, because its coding can't be taken off.
        case unknownCoding = "unknown-coding"
        /// `Vary` names fields that nobody can know ahead, so that no page would get the response.
        case varyUnmatchable = "vary-unmatchable"
        /// The response forbids to store it, or a rule does.
        case notStorable = "not-storable"
        /// The server declines to be asked ahead of need.
        case declined
        /// The server asks for patience (429, 503) each time.
        case retryAfter = "retry-after"
        /// The day's bytes are spent.
        case budget
        /// The user wants little traffic (Low Data Mode).
        case constrained
        /// The network costs money; only what each page needs is fetched.
        case expensive
        /// The battery is to be spared; only what each page needs is fetched.
        case lowPower = "low-power"
        /// There is no network.
        case offline
        /// The server can't be reached.
        case network
        /// It is there, and waits for the other files of its release: until then the one before stays in force.
        case incompleteRelease = "incomplete-release"
        /// It can't be stored: the disk is full or failing, or the store can't be written.
        case diskFull = "disk-full"
        case cancelled
        /// The page is marked as one that does something when it is opened.
        case sideEffects = "side-effects"
        /// The page could not be loaded in a hidden web view.
        case pageFailed = "page-failed"
        /// The page went on loading.
        case timeLimit = "time-limit"
        /// The page took too much memory.
        case memoryLimit = "memory-limit"
    }

    /// The kind of refusal.
    public var reason: Reason
    /// The failure and its remedy, in one sentence.
    package var message: String
    /// Whether the server says so for good, and is not just failing.
    var isFinal = true
    /// Whether pages can do without what is refused, should it be so each time.
    var isDispensable = false

    /// A refusal, for tests of an app that shows them.
    public init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }

    /// The reason and its details.
    public var description: String { "\(reason.rawValue): \(message)" }

    static let sideEffects = PreloadRefusal(
        .sideEffects,
        "It is marked as a page that does something when it is opened, so it is never loaded ahead of need.")

    /// The publisher has turned off the host of what is listed.
    package static let turnedOff = PreloadRefusal(.notStorable, Rule.turnedOffWords)

    /// - Parameter rule: Keeps it out of the store.
    static func ruled(_ rule: String?) -> PreloadRefusal {
        guard rule != Rule.turnedOffName else { return .turnedOff }
        let name = rule.map { "The rule '\($0)'" } ?? "A rule"
        return PreloadRefusal(
            .notStorable, "\(name) does not let it be stored; change the rule, or take the file off the list.")
    }
}
