/// A start or end tag: its bytes, and where they stand. Valid within the closure that it is reported to.
package struct HTMLTag {
    package enum Namespace: UInt8, Sendable { case html, svg, math }

    package var name: HTMLElementName
    /// What an element of this start tag belongs to; `html` for every end tag.
    package var namespace: Namespace
    /// Whether it ends with `/>`, which counts in foreign content only.
    package var isSelfClosing: Bool
    /// The offset of `<`.
    package var offset: Int
    /// From `<` to `>`.
    package var bytes: UnsafeBufferPointer<UInt8>
    /// In the order of the source; of attributes with one name only the first, as parsers keep it.
    package var attributes: UnsafeBufferPointer<HTMLAttribute>
    /// Counted from `<`.
    var nameRange: Range<Int>

    package var range: Range<Int> { offset..<offset + bytes.count }

    /// Letters of ASCII in lower case, U+FFFD for NUL.
    package var localName: String { text(nameRange) }

    package func name(of attribute: HTMLAttribute) -> String {
        text(Int(attribute.nameStart)..<Int(attribute.nameEnd))
    }

    /// The first attribute of a name.
    package func attribute(_ name: HTMLAttributeName) -> HTMLAttribute? {
        attributes.first { $0.name == name }
    }

    /// The bytes between the quotes, as they are in the source.
    package func rawValue(of attribute: HTMLAttribute) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[Int(attribute.valueStart)..<Int(attribute.valueEnd)])
    }

    /// Where ``rawValue(of:)`` stands in the source.
    package func valueRange(of attribute: HTMLAttribute) -> Range<Int> {
        offset + Int(attribute.valueStart)..<offset + Int(attribute.valueEnd)
    }

    /// With character references replaced and line ends normalised. Bytes that are no UTF-8 become U+FFFD.
    package func value(of attribute: HTMLAttribute) -> String {
        MappedText(rawValue(of: attribute), in: .attribute).string
    }

    /// ``value(of:)`` of the first attribute of a name.
    package func value(_ name: HTMLAttributeName) -> String? {
        attribute(name).map { value(of: $0) }
    }

    /// The value, and which of its bytes come from which bytes of the source.
    package func mappedValue(of attribute: HTMLAttribute) -> MappedText {
        MappedText(rawValue(of: attribute), in: .attribute, offset: offset + Int(attribute.valueStart))
    }

    private func text(_ range: Range<Int>) -> String {
        let shown = bytes[range].flatMap { $0 == 0 ? [0xEF, 0xBF, 0xBD] : [$0.lowercased] }
        return String(decoding: shown, as: UTF8.self)
    }
}
