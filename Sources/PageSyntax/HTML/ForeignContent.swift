/// The open elements of SVG and MathML, and of HTML within them: enough of HTML §13.2.6 to tell a foreign tag.
///
/// Simplified: nothing is known of the HTML elements outside. An end tag of HTML in foreign content closes what is
/// foreign, as if its element were open. Within an integration point (`foreignObject`) open elements end at the end
/// tag of an element that encloses them, or at a tag that the standard lets end them; the lists of active formatting
/// elements, and what tables move elsewhere, are not followed. For documents whose tags match all this is exact.
struct ForeignContent: Sendable {
    private struct Element: Sendable {
        var name: HTMLElementName
        var packed: PackedName
        var namespace: HTMLTag.Namespace
        /// Start tags within it are HTML.
        var isIntegrationPoint = false
        /// `mi` and the like, in which `mglyph` and `malignmark` stay MathML.
        var isMathText = false
    }

    /// Open elements that are remembered; deeper ones are only counted.
    private static let mostElements = 256

    private var elements: [Element] = []
    private var uncounted = 0

    var isEmpty: Bool { elements.isEmpty }
    /// The current node is none of HTML.
    var isForeign: Bool { elements.last.map { $0.namespace != .html } ?? false }

    /// - Returns: The element's namespace.
    mutating func startTag(
        _ name: HTMLElementName, _ packed: PackedName, isSelfClosing: Bool, isFontWithStyle: Bool,
        isHTMLAnnotation: Bool
    ) -> HTMLTag.Namespace {
        guard readsForeign(name) else { return htmlStartTag(name, packed, isSelfClosing: isSelfClosing) }
        if name.endsForeignContent || name == .font && isFontWithStyle {
            leave()
            return htmlStartTag(name, packed, isSelfClosing: isSelfClosing)
        }
        let namespace = elements.last?.namespace ?? .html
        if !isSelfClosing {
            let isMathText = namespace == .math && [.mi, .mo, .mn, .ms, .mtext].contains(name)
            let isHTML =
                namespace == .math ? isHTMLAnnotation : [.foreignObject, .desc, .title].contains(name)
            push(
                Element(
                    name: name, packed: packed, namespace: namespace, isIntegrationPoint: isHTML || isMathText,
                    isMathText: isMathText))
        }
        return namespace
    }

    /// The tree construction dispatcher, for a start tag.
    private func readsForeign(_ name: HTMLElementName) -> Bool {
        guard let last = elements.last, last.namespace != .html else { return false }
        if last.isMathText { return name == .mglyph || name == .malignmark }
        if last.isIntegrationPoint { return false }
        return !(last.namespace == .math && last.name == .annotationXML && name == .svg)
    }

    /// Closes elements up to HTML, or to what HTML may stand in.
    private mutating func leave() {
        while let last = elements.last, last.namespace != .html, !last.isIntegrationPoint { pop() }
    }

    private mutating func htmlStartTag(
        _ name: HTMLElementName, _ packed: PackedName, isSelfClosing: Bool
    ) -> HTMLTag.Namespace {
        if name == .svg || name == .math {
            let namespace: HTMLTag.Namespace = name == .svg ? .svg : .math
            if !isSelfClosing { push(Element(name: name, packed: packed, namespace: namespace)) }
            return namespace
        }
        guard !isEmpty, !name.isVoid else { return .html }
        if name.endsParagraph, let open = htmlIndex(where: { $0.name == .p }) { close(to: open) }
        if name.endsItsLike, let last = elements.last, last.name == name, last.namespace == .html { pop() }
        push(Element(name: name, packed: packed, namespace: .html))
        return .html
    }

    mutating func endTag(_ name: HTMLElementName, _ packed: PackedName) {
        guard let last = elements.last else { return }
        if last.namespace == .html {
            if let open = htmlIndex(where: { $0.packed == packed }) { close(to: open) }
            return
        }
        if name == .p || name == .br { return leave() }
        // Any other end tag: the nearest foreign element of that name, otherwise the rules of HTML.
        var index = elements.count
        while index > 0, elements[index - 1].namespace != .html {
            index -= 1
            if elements[index].packed == packed { return close(to: index) }
        }
        if index > 0, !elements[index...].contains(where: \.isIntegrationPoint) {
            if let open = elements[..<index].lastIndex(where: { $0.namespace != .html || $0.packed == packed }),
                elements[open].namespace == .html
            {
                close(to: open)
            }
        } else if index == 0, name != .other, !elements.contains(where: \.isIntegrationPoint) {
            elements = []
            uncounted = 0
        }
    }

    /// The nearest open HTML element within the innermost integration point.
    private func htmlIndex(where isWanted: (Element) -> Bool) -> Int? {
        var index = elements.count
        while index > 0, elements[index - 1].namespace == .html {
            index -= 1
            if isWanted(elements[index]) { return index }
        }
        return nil
    }

    private mutating func push(_ element: Element) {
        if elements.count < Self.mostElements { elements.append(element) } else { uncounted += 1 }
    }

    private mutating func pop() {
        if uncounted > 0 { uncounted -= 1 } else { elements.removeLast() }
    }

    private mutating func close(to index: Int) {
        if uncounted > 0 { uncounted -= 1 } else { elements.removeSubrange(index...) }
    }
}

extension HTMLTokenizer {
    /// Sets how what follows a tag is read, as tree construction does (HTML §13.2.6); returns the element's namespace.
    mutating func follow(
        _ name: HTMLElementName, _ packed: PackedName, _ attributes: UnsafeBufferPointer<HTMLAttribute>,
        _ bytes: UnsafeBufferPointer<UInt8>
    ) -> HTMLTag.Namespace {
        (state, textKind) = (.data, .data)
        guard followsTree else { return .html }
        if tag.isEnd {
            foreign.endTag(name, packed)
            return .html
        }
        if foreign.isEmpty, name != .svg, name != .math {
            readContent(of: name, packed)
            return .html
        }
        let namespace = foreign.startTag(
            name, packed, isSelfClosing: tag.isSelfClosing,
            isFontWithStyle: attributes.contains { $0.name == .color || $0.name == .face || $0.name == .size },
            isHTMLAnnotation: name == .annotationXML && Self.isHTMLAnnotation(attributes, bytes))
        if namespace == .html { readContent(of: name, packed) }
        return namespace
    }

    @inline(__always)
    private mutating func readContent(of name: HTMLElementName, _ packed: PackedName) {
        switch name {
        case .title, .textarea: readText(until: packed, .rawText, .rcdata)
        // Scripts run in a web view: `noscript` is text.
        case .style, .xmp, .iframe, .noembed, .noframes, .noscript: readText(until: packed, .rawText, .rawText)
        case .script: readText(until: packed, .script, .script)
        case .plaintext: readText(until: packed, .plaintext, .plaintext)
        default: break
        }
    }

    mutating func readText(until name: PackedName, _ state: State, _ kind: HTMLText.Kind) {
        (self.state, textKind) = (state, kind)
        (endName, endLength) = (name, name.count)
    }

    /// HTML §13.2.6: an `annotation-xml` with HTML in it.
    private static func isHTMLAnnotation(
        _ attributes: UnsafeBufferPointer<HTMLAttribute>, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard let encoding = attributes.first(where: { $0.name == .encoding }) else { return false }
        let value = MappedText(
            UnsafeBufferPointer(rebasing: bytes[Int(encoding.valueStart)..<Int(encoding.valueEnd)]), in: .attribute)
        return ["text/html", "application/xhtml+xml"].contains(value.string.lowercased())
    }
}
