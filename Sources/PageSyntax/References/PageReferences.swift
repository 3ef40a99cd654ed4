/// Finds what an HTML document loads as its bytes come: in attributes, style sheets and import maps within it.
///
/// Nothing is resolved: URLs are relative to the first ``PageReference/Kind/base``, where that stands before them.
/// Within `noscript` nothing is seen where scripts run, as engines load nothing of it, nor within comments. The style
/// sheet of an SVG `style` element is read up to its first character reference, comment or element.
package struct PageReferences: Sendable {
    /// The kind of the text that follows.
    private enum Content: Sendable {
        case none
        case css(CSSReferences)
        /// An import map, or a script within the document where those are read.
        case script(PageReference.Kind, start: Int, text: [UInt8])
    }

    /// Longer import maps and scripts are not reported.
    package static let scriptLimit = 1 << 20

    private var tokenizer = HTMLTokenizer()
    private var content = Content.none
    /// How many `template` elements are open, and which of them is the outermost that is inert.
    private var (templates, outermostInert): (Int, Int?) = (0, nil)
    /// Where the text that was read last ends.
    private var contentEnd = 0
    /// The kind of reference that the next text belongs to.
    private var pending: PageReference.Kind?

    /// Whether scripts within the document are reported, with the modules of Astro's islands, which a script imports,
    /// and `noscript`; their text is held until it ends.
    private let readsScripts: Bool

    package init(readsScripts: Bool = false) { self.readsScripts = readsScripts }

    /// The offset up to which no reference will be reported any more.
    package var reported: Int {
        switch content {
        case .none: tokenizer.reported
        case .css(let sheet): min(sheet.reported, tokenizer.reported)
        case .script(_, let start, let text): text.count > Self.scriptLimit ? tokenizer.reported : start
        }
    }

    /// - Parameter report: Is called with each reference, and the tag whose attribute it stands in.
    package mutating func feed(_ piece: [UInt8], _ report: (PageReference, HTMLTag?) -> Void) {
        // Taken out, because the closure changes what is around the tokenizer.
        var tokenizer = HTMLTokenizer()
        swap(&tokenizer, &self.tokenizer)
        tokenizer.feed(piece) { read($0, report) }
        swap(&tokenizer, &self.tokenizer)
    }

    package mutating func finish(_ report: (PageReference, HTMLTag?) -> Void) {
        var tokenizer = HTMLTokenizer()
        swap(&tokenizer, &self.tokenizer)
        tokenizer.finish { read($0, report) }
        swap(&tokenizer, &self.tokenizer)
        endContent(report)
    }

    /// Reads a whole document, see ``feed(_:_:)``.
    package static func read(
        _ document: [UInt8], readsScripts: Bool = false, _ report: (PageReference, HTMLTag?) -> Void
    ) {
        var reader = PageReferences(readsScripts: readsScripts)
        reader.feed(document, report)
        reader.finish(report)
    }

    private var isInert: Bool { outermostInert != nil }

    /// HTML §4.12.3: the keywords of `shadowrootmode`, without regard to case; any other value is none.
    private static func isShadowRoot(_ template: HTMLTag) -> Bool {
        guard let mode = template.attribute(.shadowrootmode) else { return false }
        let value = String(decoding: template.rawValue(of: mode), as: UTF8.self).lowercased()
        return value == "open" || value == "closed"
    }

    @inline(__always)
    private mutating func read(_ token: HTMLToken, _ report: (PageReference, HTMLTag?) -> Void) {
        switch token {
        case .startTag(let tag): readStartTag(tag, report)
        case .endTag(let tag):
            if case .none = content, pending == nil {} else { endContent(report) }
            if tag.name == .template, templates > 0 {
                if templates == outermostInert { outermostInert = nil }
                templates -= 1
            }
        case .text(let text): if pending != nil { readText(text, report) }
        case .oversized: endContent(report)
        case .comment, .doctype: break
        }
    }

    @inline(__always)
    private mutating func readStartTag(_ tag: HTMLTag, _ report: (PageReference, HTMLTag?) -> Void) {
        if pending != nil { endContent(report) }
        for attribute in tag.attributes where attribute.valueEnd > attribute.valueStart {
            if let value = ReferenceRules.value(of: attribute, in: tag) { read(value, of: attribute, in: tag, report) }
        }
        if readsScripts, tag.name == .other, tag.localName == "astro-island" { readIsland(tag, report) }
        switch tag.name {
        case .noscript where readsScripts && tag.namespace == .html: pending = .noscript
        case .style where !(tag.namespace == .svg && tag.isSelfClosing): pending = .style
        case .script where tag.namespace == .html && tag.attribute(.src) == nil:
            switch ReferenceRules.script(tag) {
            case .importMap: pending = .importMap
            case .moduleScript where readsScripts: pending = .inlineModule
            case .classicScript where readsScripts: pending = .inlineScript
            default: break
            }
        case .template where tag.namespace == .html || !tag.isSelfClosing:
            templates += 1
            if !isInert, tag.namespace == .html, !Self.isShadowRoot(tag) { outermostInert = templates }
        default: break
        }
    }

    private func readIsland(_ tag: HTMLTag, _ report: (PageReference, HTMLTag?) -> Void) {
        for attribute in tag.attributes
        where ["component-url", "renderer-url", "before-hydration-url"].contains(tag.name(of: attribute)) {
            read(.url(.modulePreload), of: attribute, in: tag, report)
        }
    }

    private func read(
        _ value: ReferenceRules.Value, of attribute: HTMLAttribute, in tag: HTMLTag,
        _ report: (PageReference, HTMLTag?) -> Void
    ) {
        let text = tag.mappedValue(of: attribute)
        func reportPart(_ part: Range<Int>, _ kind: PageReference.Kind) {
            guard !part.isEmpty else { return }
            report(
                PageReference(
                    kind: kind, range: text.sourceRange(part), url: text.string(part), isInert: isInert),
                tag)
        }
        switch value {
        case .url(.inlineDocument): reportPart(0..<text.bytes.count, .inlineDocument)
        case .url(let kind): reportPart(text.trimmed, kind)
        case .srcset(let kind):
            for candidate in Srcset.candidates(text.bytes) { reportPart(candidate, kind) }
        case .refresh: reportPart(ReferenceRules.refreshedURL(in: text.bytes), .refresh)
        case .css:
            var sheet = CSSReferences(isInert: isInert)
            let found: (PageReference) -> Void = { reference in
                var reference = reference
                reference.range = text.sourceRange(reference.range)
                report(reference, tag)
            }
            sheet.feed(text.bytes, found)
            sheet.finish(found)
        }
    }

    private mutating func readText(_ text: HTMLText, _ report: (PageReference, HTMLTag?) -> Void) {
        if case .none = content {
            beginContent(at: text.offset)
        } else if contentEnd != text.offset {
            // Only in SVG: a comment or another element stands between.
            endContent(report)
            return
        }
        contentEnd = text.range.upperBound
        switch content {
        case .css(var sheet):
            content = .none
            if text.kind == .data, let end = text.bytes.firstIndex(of: 0x26) {
                pending = nil
                // A URL that reaches up to the reference may be only a part of one.
                let found: (PageReference) -> Void = { reference in
                    if reference.range.upperBound < text.offset + end { report(reference, nil) }
                }
                sheet.feed(UnsafeBufferPointer(rebasing: text.bytes[..<end]), found)
                sheet.finish(found)
                return
            }
            sheet.feed(text.bytes) { report($0, nil) }
            content = .css(sheet)
        case .script(let kind, let start, var script):
            content = .none
            if script.count <= Self.scriptLimit { script += text.bytes }
            content = .script(kind, start: start, text: script)
        case .none: break
        }
    }

    private mutating func beginContent(at offset: Int) {
        switch pending {
        case .style?: content = .css(CSSReferences(offset: offset, isInert: isInert))
        case let kind?: content = .script(kind, start: offset, text: [])
        case nil: break
        }
    }

    private mutating func endContent(_ report: (PageReference, HTMLTag?) -> Void) {
        pending = nil
        switch content {
        case .none: return
        case .css(var sheet): sheet.finish { report($0, nil) }
        case .script(let kind, let start, let text) where text.count <= Self.scriptLimit:
            report(
                PageReference(
                    kind: kind, range: start..<start + text.count, url: String(decoding: text, as: UTF8.self),
                    isInert: isInert), nil)
        case .script: break
        }
        content = .none
    }
}
