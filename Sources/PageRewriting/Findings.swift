import PageSyntax

/// A reader's findings, and the text to insert at each place.
struct Findings: Sendable {
    var options: PageRewriter.Options
    var hashed: [(address: String, base: String?)] = []
    private var insertions: [Insertion] = []
    /// The first `href` of a `base` element, as written.
    private var base: String?

    init(options: PageRewriter.Options) {
        self.options = options
    }

    /// - Parameter tag: The one in whose attribute the reference stands.
    mutating func add(_ reference: PageReference, _ tag: HTMLTag?) {
        if reference.kind == .base, base == nil, !reference.isInert { base = reference.url }
        switch reference.kind {
        case .integrity:
            if let address = tag?.value(.src) ?? tag?.value(.href) { hashed.append((address, base)) }
        case .importMap where !options.keepsInlineText:
            insertions += ImportMapText.insertions(
                reference.url, at: reference.range.lowerBound, options.hosts, isUTF8: options.isUTF8)
        case .securityPolicy: addPolicy(reference)
        case .inlineDocument: if let tag { addInlineDocument(tag) }
        default:
            // A document is the page's own only at its own host.
            let isDocument = reference.kind == .frame || reference.kind == .refresh
            let hosts = isDocument ? NamedHosts(Set([options.host].compactMap(\.self))) : options.hosts
            guard reference.kind.isLoaded(media: options.includesMedia),
                hosts.contains(reference.url, isUTF8: options.isUTF8)
            else { return }
            // Within an element's text or a `style` attribute.
            if options.keepsInlineText, reference.isInStyle { return }
            insertions.append(Insertion(at: reference.range.lowerBound))
        }
    }

    private mutating func addPolicy(_ reference: PageReference) {
        let policy = PolicyText(reference.url, host: options.host)
        if policy.hasHashes { options.keepsInlineText = true }
        // With character references in it, places are not known.
        guard reference.range.count == reference.url.utf8.count else { return }
        insertions += policy.insertions.map { Insertion(at: reference.range.lowerBound + $0.offset, $0.text) }
    }

    /// The document in a `srcdoc` attribute.
    private mutating func addInlineDocument(_ tag: HTMLTag) {
        guard let attribute = tag.attribute(.srcdoc) else { return }
        let text = tag.mappedValue(of: attribute)
        var inner = Findings(options: options)
        // One level is enough; the rest would be text in text in text.
        PageReferences.read(text.bytes) { if $0.kind != .inlineDocument { inner.add($0, $1) } }
        let isQuoted = attribute.quoting != .unquoted
        for insertion in inner.insertions where isQuoted || insertion.text == NamedHosts.insertion {
            let place = text.sourceRange(insertion.offset..<insertion.offset).lowerBound
            insertions.append(Insertion(at: place, insertion.text))
        }
        hashed += inner.hashed
    }

    /// Takes out what stands before a place, in order.
    mutating func take(upTo end: Int) -> [Insertion] {
        guard !insertions.isEmpty else { return [] }
        let taken = insertions.filter { $0.offset < end }.sorted { $0.offset < $1.offset }
        insertions.removeAll { $0.offset < end }
        return taken
    }
}

extension PageReference.Kind {
    /// Whether a reference of this kind is loaded by the page itself.
    ///
    /// Where the page may go by its user is not even reported: links, forms. Nor is what loads nothing, or opens a
    /// connection only. Where it goes on by itself, another address than the page's own would be an entry of history
    /// more, to which nobody can go back.
    fileprivate func isLoaded(media: Bool) -> Bool {
        switch self {
        case .classicScript, .moduleScript, .style, .image, .textTrack, .embedded, .icon, .webManifest, .preload,
            .modulePreload, .prefetch, .base, .svg, .styleImport, .font, .cssImage, .cssOther, .frame, .refresh:
            true
        case .audio, .video: media
        case .inlineDocument, .inlineScript, .inlineModule, .noscript, .securityPolicy, .integrity, .importMap:
            false
        }
    }
}
