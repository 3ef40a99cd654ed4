/// What pages of a site ask for; the browsing model makes sites of it.
public struct SiteTemplate: Sendable {
    /// How long the name of a file means the same bytes.
    public enum Naming: Hashable, Sendable {
        /// The site's: the same on all its pages, until a deploy changes it.
        case site
        /// Another host's: the same on every site made of the template, as a library from a public host is.
        case shared
        /// The page's own.
        case page
        /// The address holds the moment of the request, so it never comes back.
        case once
    }

    /// A file of a page.
    public struct File: Sendable {
        public var name: String
        public var response: TracedResponse
        public var naming: Naming

        public init(name: String, response: TracedResponse, naming: Naming) {
            self.name = name
            self.response = response
            self.naming = naming
        }
    }

    /// At least one; more where several were recorded.
    public var pages: [[File]]
    /// Files that each page of the site asks some of, as an application loads parts of itself when they are needed.
    public var optionalFiles: [File]

    public init(pages: [[File]], optionalFiles: [File] = []) {
        self.pages = pages
        self.optionalFiles = optionalFiles
    }
}
