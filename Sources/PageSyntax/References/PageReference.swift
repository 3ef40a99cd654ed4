/// A place in a page or style sheet where a URL stands that is loaded, or something that depends on one.
package struct PageReference: Hashable, Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        // Loads of a document.
        case classicScript, moduleScript, style, image, audio, video, textTrack, embedded
        /// A document in a frame.
        case frame
        /// A whole document as an attribute's value; the URL is that document.
        case inlineDocument
        case icon, webManifest
        // Loads that may follow soon; the `as` of a preload is on the tag.
        case preload, modulePreload, prefetch
        /// The URL that other URLs of the document are resolved against.
        case base
        /// An element of this or another SVG document: `use`, `image`, gradients.
        case svg
        // References in style sheets.
        case styleImport, font, cssImage
        /// Any other URL in a style sheet; only the engine knows what for.
        case cssOther
        /// A Content Security Policy in a `meta` element; the URL is the policy.
        case securityPolicy
        /// The page to which a `meta` element leads on.
        case refresh
        /// Hashes of what a tag refers to; the URL is the list of hashes.
        case integrity
        /// The text of an import map: where it stands. Its URL is empty; the caller reads the JSON.
        case importMap
        /// The text of a script or a module within the document; the URL is that text.
        case inlineScript, inlineModule
        /// The text of a `noscript`; the URL is that text.
        case noscript
    }

    package var kind: Kind
    /// In bytes from the beginning of the source, without quotes and the whitespace around; as it is written there.
    package var range: Range<Int>
    /// With character references and escapes replaced; not resolved.
    package var url: String
    /// It stands in CSS; in a document, a policy may have hashes of such text.
    package var isInStyle = false
    /// It stands in a `template`, whose content loads nothing until a script clones it.
    package var isInert = false
}

/// The page to which a `refresh` leads, of a `meta` element or the HTTP field (HTML §4.2.5.3, "shared declarative
/// refresh steps").
package struct PageRefresh: Hashable, Sendable {
    /// Whole seconds until then.
    package var seconds: Int
    /// Not resolved; empty for the page itself.
    package var url: String

    /// - Returns: `nil` for what is no time.
    package init?(_ value: String) {
        let text = Array(value.utf8)
        let digits = value.drop(while: \.isWhitespace).prefix(while: \.isWholeNumber)
        guard let seconds = Int(digits) else { return nil }
        self.seconds = seconds
        url = String(decoding: text[ReferenceRules.refreshedURL(in: text)], as: UTF8.self)
    }
}

/// Which attributes of which elements refer to what: HTML, SVG 2, and what engines still load of older ones.
enum ReferenceRules {
    /// How the value of an attribute is read.
    enum Value: Equatable {
        case url(PageReference.Kind)
        case srcset(PageReference.Kind)
        case css
        /// A time and a URL.
        case refresh
    }

    static func value(of attribute: HTMLAttribute, in tag: HTMLTag) -> Value? {
        switch attribute.name {
        case .style: return .css
        case .other: return tag.namespace == .svg && tag.rawValue(of: attribute).containsURLFunction ? .css : nil
        case .integrity: return [.script, .link, .img].contains(tag.name) ? .url(.integrity) : nil
        default: break
        }
        switch tag.namespace {
        case .html: return html(attribute.name, tag)
        case .svg: return svg(attribute.name, tag)
        case .math: return nil
        }
    }

    private static func html(_ name: HTMLAttributeName, _ tag: HTMLTag) -> Value? {
        switch (tag.name, name) {
        case (.script, .src): return script(tag).map { .url($0) }
        case (.link, .href): return link(tag).map { .url($0) }
        case (.link, .imagesrcset): return link(tag).map { .srcset($0) }
        case (.img, .src), (.image, .src), (.video, .poster): return .url(.image)
        case (.img, .srcset), (.image, .srcset), (.source, .srcset): return .srcset(.image)
        case (.input, .src): return tag.value(.type)?.asciiLowercased == "image" ? .url(.image) : nil
        case (_, .background):
            let hasOne = [.body, .table, .thead, .tbody, .tfoot, .col, .colgroup, .tr, .td, .th].contains(tag.name)
            return hasOne ? .url(.image) : nil
        case (.source, .src):
            return .url(tag.value(.type)?.asciiLowercased.hasPrefix("audio/") == true ? .audio : .video)
        case (.video, .src): return .url(.video)
        case (.audio, .src), (.bgsound, .src): return .url(.audio)
        case (.track, .src): return .url(.textTrack)
        case (.embed, .src), (.object, .data): return .url(.embedded)
        case (.iframe, .src), (.frame, .src): return .url(.frame)
        case (.iframe, .srcdoc): return .url(.inlineDocument)
        case (.base, .href): return .url(.base)
        case (.meta, .content):
            switch tag.value(.httpEquiv)?.asciiLowercased {
            case "content-security-policy": return .url(.securityPolicy)
            case "refresh": return .refresh
            default: return nil
            }
        default: return nil
        }
    }

    /// The place of the URL in the value of a `refresh` (``PageRefresh``); empty where there is none.
    static func refreshedURL(in text: [UInt8]) -> Range<Int> {
        var place = 0
        func skip(_ isMeant: (UInt8) -> Bool) { while place < text.count, isMeant(text[place]) { place += 1 } }
        func next(_ octets: [UInt8]) -> Bool { place < text.count && octets.contains(text[place]) }
        skip(\.isSpace)
        let start = place
        skip { (0x30...0x39).contains($0) || $0 == 0x2E }
        guard place > start, place < text.count, next([0x3B, 0x2C]) || text[place].isSpace else { return 0..<0 }
        skip(\.isSpace)
        if next([0x3B, 0x2C]) { place += 1 }
        skip(\.isSpace)
        let named = place
        if ["Uu", "Rr", "Ll"].allSatisfy({ letters in
            defer { place += 1 }
            return next(Array(letters.utf8))
        }) {
            skip(\.isSpace)
            if next([0x3D]) { place += 1 } else { place = named }
            skip(\.isSpace)
        } else {
            place = named
        }
        let quote: UInt8? = next([0x22, 0x27]) ? text[place] : nil
        if quote != nil { place += 1 }
        let end = text[place...].firstIndex { $0 == quote } ?? text.count
        return place..<end
    }

    private static func svg(_ name: HTMLAttributeName, _ tag: HTMLTag) -> Value? {
        guard name == .href || name == .xlinkHref else { return nil }
        // SVG 2 §16.1.5: `xlink:href` counts only where there is no `href`.
        if name == .xlinkHref, tag.attribute(.href) != nil { return nil }
        switch tag.name {
        case .a: return nil
        case .image, .feImage: return .url(.image)
        case .script: return script(tag).map { .url($0) }
        default: return .url(.svg)
        }
    }

    /// The kind of a `script`; `nil` for a data block.
    static func script(_ tag: HTMLTag) -> PageReference.Kind? {
        guard let type = tag.value(.type) else {
            let language = tag.value(.language) ?? ""
            return language.isEmpty || isJavaScript("text/" + language.asciiLowercased) ? .classicScript : nil
        }
        let name = type.asciiTrimmed.asciiLowercased
        if type.isEmpty || isJavaScript(name) { return .classicScript }
        switch name {
        case "module": return .moduleScript
        case "importmap": return .importMap
        default: return nil
        }
    }

    /// The JavaScript MIME types of the MIME Sniffing standard.
    private static func isJavaScript(_ type: String) -> Bool {
        [
            "text/javascript", "application/javascript", "application/ecmascript", "application/x-ecmascript",
            "application/x-javascript", "text/ecmascript", "text/javascript1.0", "text/javascript1.1",
            "text/javascript1.2", "text/javascript1.3", "text/javascript1.4", "text/javascript1.5", "text/jscript",
            "text/livescript", "text/x-ecmascript", "text/x-javascript",
        ].contains(type)
    }

    private static let linkKinds: [(String, PageReference.Kind)] = [
        ("stylesheet", .style), ("modulepreload", .modulePreload), ("preload", .preload), ("icon", .icon),
        ("apple-touch-icon", .icon), ("apple-touch-icon-precomposed", .icon), ("mask-icon", .icon),
        ("manifest", .webManifest), ("prefetch", .prefetch),
    ]

    /// The first of the kinds above that `rel` names; `nil` where the link loads nothing.
    private static func link(_ tag: HTMLTag) -> PageReference.Kind? {
        let words = (tag.value(.rel) ?? "").utf8.split(whereSeparator: \.isSpace)
            .map { String(decoding: $0, as: UTF8.self).asciiLowercased }
        return linkKinds.first { words.contains($0.0) }?.1
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether `url(` may stand here; an escaped one is not sought.
    fileprivate var containsURLFunction: Bool {
        indices.dropFirst(3).contains { index in
            self[index] == 0x28 && self[index - 3] | 0x20 == 0x75 && self[index - 2] | 0x20 == 0x72
                && self[index - 1] | 0x20 == 0x6C
        }
    }
}
