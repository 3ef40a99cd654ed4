/// The pages of a set, asked for as a web view asks for them when there is no network.
public struct OfflinePages: Hashable, Sendable, Encodable {
    /// A page that is not all there.
    public struct Page: Hashable, Sendable, Encodable {
        public var url: String
        /// The URLs that it lacks; its own where the page itself can't be had.
        public var missing: [Missing]
    }

    /// A URL that no stored response answers.
    public struct Missing: Hashable, Sendable, Encodable {
        public var url: String
        /// The reason, and the cure where there is one.
        public var message: String
        /// The URL under which the set lists something that may be meant.
        public var listedAs: String?

        /// Nobody knows why.
        package static let absent = "It is not in the store."
    }

    /// How many pages open, with all that their own HTML, CSS and modules refer to at the hosts of the set, but for
    /// pictures, frames, films and `async` scripts of other sites that are not listed.
    public var opening = 0
    /// The others, in the order of their URLs.
    public var lacking: [Page] = []

    package init() {}
}
