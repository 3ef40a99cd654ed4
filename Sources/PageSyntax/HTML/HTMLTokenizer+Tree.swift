extension HTMLTokenizer {
    /// How what stands behind a tag is read: the part of tree construction (HTML §13.2.6) that sets tokenizer states.
    ///
    /// - Returns: What the element belongs to.
    mutating func follow(
        _ name: HTMLElementName, _ packed: PackedName, _ attributes: UnsafeBufferPointer<HTMLAttribute>,
        _ bytes: UnsafeBufferPointer<UInt8>
    ) -> HTMLTag.Namespace {
        (state, textKind, textElement) = (.data, .data, .other)
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
        case .title, .textarea: readText(until: name, packed, .rawText, .rcdata)
        case .style, .xmp, .iframe, .noembed, .noframes: readText(until: name, packed, .rawText, .rawText)
        case .noscript where isScripting: readText(until: name, packed, .rawText, .rawText)
        case .script: readText(until: name, packed, .script, .script)
        case .plaintext: readText(until: name, packed, .plaintext, .plaintext)
        default: break
        }
    }

    mutating func readText(
        until name: HTMLElementName, _ packed: PackedName, _ state: State, _ kind: HTMLText.Kind
    ) {
        (self.state, textKind, textElement) = (state, kind, name)
        (endName, endLength) = (packed, packed.count)
    }

    /// HTML §13.2.6: an `annotation-xml` with HTML in it.
    private static func isHTMLAnnotation(
        _ attributes: UnsafeBufferPointer<HTMLAttribute>,
        _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard let encoding = attributes.first(where: { $0.name == .encoding }) else { return false }
        let value = MappedText(
            UnsafeBufferPointer(rebasing: bytes[Int(encoding.valueStart)..<Int(encoding.valueEnd)]), in: .attribute)
        return ["text/html", "application/xhtml+xml"].contains(value.string.lowercased())
    }
}
