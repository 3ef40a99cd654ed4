/// A place in a page, style sheet or module where a URL stands, or something that depends on one.
package struct PageReference: Hashable, Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        // What a document loads.
        case classicScript, moduleScript, style, image, audio, video, textTrack, embedded
        /// A document in a frame.
        case frame
        /// A whole document as an attribute's value; the URL is that document.
        case inlineDocument
        case icon, webManifest
        // What it may load soon; the `as` of a preload is on the tag.
        case preload, modulePreload, prefetch, preconnect, dnsPrefetch, prerender
        /// A `link` that loads nothing, or that we do not know.
        case otherLink
        // Where it may go.
        case navigation, formAction, refresh, ping
        /// What other URLs of the document are resolved against.
        case base
        /// An element of this or another SVG document: `use`, `image`, gradients.
        case svg
        /// A URL that nothing loads: `cite`, `longdesc`.
        case citation
        // Of style sheets.
        case styleImport, font, cssImage
        /// Any other URL in a style sheet; only the engine knows what for.
        case cssOther
        // Of scripts.
        case moduleImport, dynamicImport
        /// `import.meta`, which says where the module came from; its URL is empty.
        case importMeta
        /// A Content Security Policy in a `meta` element; the URL is the policy.
        case securityPolicy
        /// Hashes of what a tag refers to; the URL is the list of hashes.
        case integrity
        /// The text of an import map: where it stands. Its URL is empty; the caller reads the JSON.
        case importMap
    }

    /// How the text stands in its surroundings, for those who put another in its place.
    package enum Notation: Hashable, Sendable {
        /// As it is: the text of an import map.
        case plain
        /// `url(` without quotes.
        case cssURL
        /// Between these quotes, in CSS.
        case cssString(quote: UInt8)
        /// Between these quotes, in JavaScript.
        case scriptString(quote: UInt8)
    }

    package var kind: Kind
    /// In bytes from the beginning of the source, without quotes and the whitespace around; as it is written there.
    package var range: Range<Int>
    /// With character references and escapes replaced; not resolved.
    package var url: String
    package var notation = Notation.plain
    /// How the attribute around it is quoted; `nil` if it stands in no attribute.
    package var attribute: HTMLAttribute.Quoting?
    /// It stands in a `template`, whose content loads nothing until a script clones it.
    package var isInert = false
}
