/// The requests of a site's pages; the browsing model makes sites of it.
package struct SiteTemplate: Sendable {
    /// How long the name of a file means the same bytes.
    package enum Naming: Hashable, Sendable {
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
    package struct File: Sendable {
        package var name: String
        package var response: TracedResponse
        package var naming: Naming

        package init(name: String, response: TracedResponse, naming: Naming) {
            self.name = name
            self.response = response
            self.naming = naming
        }
    }

    /// At least one; more where several were recorded.
    package var pages: [[File]]
    /// Files that each page of the site asks some of, as an application loads parts of itself when they are needed.
    package var optionalFiles: [File]

    package init(pages: [[File]], optionalFiles: [File] = []) {
        self.pages = pages
        self.optionalFiles = optionalFiles
    }
}
