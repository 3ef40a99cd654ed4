extension HTMLTokenizer {
    /// The states from the tag name on, in one loop: a tag seldom ends with a piece.
    mutating func runTag(_ scan: inout Scan, _ report: (HTMLToken) -> Void) {
        let bytes = scan.bytes
        let count = scan.count
        let base = scan.origin &- mark
        var index = scan.index
        var state = state
        defer { scan.index = index }
        while index < count {
            let byte = bytes[index]
            switch state {
            case .tagName:
                while index < count, !Self.endsName(bytes[index]) { index &+= 1 }
                if index == count { break }
                tag.nameEnd = base &+ index
                state = .beforeAttributeName
            case .beforeAttributeName, .afterAttributeName:
                if byte.isSpace {
                    index &+= 1
                } else if byte == 0x3E {
                    self.state = state
                    index &+= 1
                    endTag(&scan, at: index, report)
                    return
                } else if byte == 0x2F {
                    state = .selfClosingStartTag
                    index &+= 1
                } else if byte == 0x3D, state == .afterAttributeName {
                    state = .beforeAttributeValue
                    index &+= 1
                } else {
                    beginAttribute(at: base &+ index)
                    state = .attributeName
                    // An equals sign here is the beginning of a name.
                    index &+= 1
                }
            case .attributeName:
                while index < count, !Self.endsName(bytes[index]), bytes[index] != 0x3D { index &+= 1 }
                if index == count { break }
                setLast { $0.nameEnd = Int32(truncatingIfNeeded: base &+ index) }
                state = .afterAttributeName
            case .beforeAttributeValue:
                if byte.isSpace {
                    index &+= 1
                } else if byte == 0x22 || byte == 0x27 {
                    index &+= 1
                    state = byte == 0x22 ? .valueDouble : .valueSingle
                    let start = Int32(truncatingIfNeeded: base &+ index)
                    setLast { ($0.valueStart, $0.quoting) = (start, byte == 0x22 ? .double : .single) }
                } else if byte == 0x3E {
                    let place = Int32(truncatingIfNeeded: base &+ index)
                    setLast { ($0.valueStart, $0.valueEnd, $0.quoting) = (place, place, .unquoted) }
                    state = .beforeAttributeName
                } else {
                    let start = Int32(truncatingIfNeeded: base &+ index)
                    setLast { ($0.valueStart, $0.quoting) = (start, .unquoted) }
                    state = .valueUnquoted
                }
            case .valueDouble, .valueSingle:
                index = ByteSearch.first(state == .valueDouble ? 0x22 : 0x27, in: bytes, from: index, to: count)
                if index == count { break }
                setLast { $0.valueEnd = Int32(truncatingIfNeeded: base &+ index) }
                index &+= 1
                state = .afterValue
            case .valueUnquoted:
                while index < count, bytes[index] != 0x3E, !bytes[index].isSpace { index &+= 1 }
                if index == count { break }
                setLast { $0.valueEnd = Int32(truncatingIfNeeded: base &+ index) }
                state = .beforeAttributeName
            case .afterValue:
                state = .beforeAttributeName
            case .selfClosingStartTag:
                if byte == 0x3E { tag.isSelfClosing = true }
                state = .beforeAttributeName
            default: return
            }
        }
        self.state = state
    }

    @inline(__always)
    private static func endsName(_ byte: UInt8) -> Bool {
        byte == 0x3E || byte == 0x2F || byte.isSpace
    }

    @inline(__always)
    private mutating func beginAttribute(at start: Int) {
        guard !isOversized else { return }
        guard tag.attributes.count < limits.attributes else {
            isOversized = true
            return
        }
        tag.attributes.append(HTMLAttribute(nameStart: Int32(truncatingIfNeeded: start)))
    }

    @inline(__always)
    private mutating func setLast(_ change: (inout HTMLAttribute) -> Void) {
        guard !isOversized else { return }
        let last = tag.attributes.count &- 1
        if last >= 0 { change(&tag.attributes[last]) }
    }

    /// Gives up the bytes of a token beyond a limit, but for its name, which decides how what follows is read.
    mutating func becomeOversized(_ scan: Scan) {
        isOversized = true
        let start = max(0, mark - scan.origin)
        if oversizedName == nil, state.isTag, state != .tagName {
            let head = carry + scan.slice(start, min(scan.count, start + tag.nameEnd))
            if head.count >= tag.nameEnd { oversizedName = head.withUnsafeBufferPointer { elementName($0) } }
        }
        carry.removeAll()
    }

    /// - Parameter end: Behind `>`.
    private mutating func endTag(_ scan: inout Scan, at end: Int, _ report: (HTMLToken) -> Void) {
        scan.textStart = end
        if carry.isEmpty, mark >= scan.origin {
            endTag(scan.slice(mark &- scan.origin, end), at: scan.origin &+ end, report)
        } else {
            // Copied, so that the state can change while the bytes are looked at.
            let whole = carry + scan.slice(0, end)
            carry.removeAll(keepingCapacity: true)
            whole.withUnsafeBufferPointer { endTag($0, at: scan.origin &+ end, report) }
        }
    }

    /// - Parameter bytes: The whole tag, unless it is oversized; it ends before the offset `end`.
    @inline(__always)
    private mutating func endTag(
        _ bytes: UnsafeBufferPointer<UInt8>, at end: Int, _ report: (HTMLToken) -> Void
    ) {
        if isOversized || end &- mark > limits.tagBytes {
            let (name, packed) =
                oversizedName ?? (bytes.count < tag.nameEnd ? (.other, PackedName()) : elementName(bytes))
            report(.oversized(mark..<end))
            _ = follow(name, packed, UnsafeBufferPointer(start: nil, count: 0), bytes)
            return
        }
        nameAttributes(bytes)
        let (name, packed) = elementName(bytes)
        // Taken out, so that the state can change while they are looked at.
        var attributes: [HTMLAttribute] = []
        swap(&attributes, &tag.attributes)
        attributes.withUnsafeBufferPointer { attributes in
            let namespace = follow(name, packed, attributes, bytes)
            let token = HTMLTag(
                name: name, namespace: namespace, isSelfClosing: tag.isSelfClosing, offset: mark, bytes: bytes,
                attributes: attributes, nameRange: tag.nameStart..<tag.nameEnd)
            report(tag.isEnd ? .endTag(token) : .startTag(token))
        }
        swap(&attributes, &tag.attributes)
    }

    @inline(__always)
    private func elementName(_ bytes: UnsafeBufferPointer<UInt8>) -> (HTMLElementName, PackedName) {
        let packed = PackedName(UnsafeBufferPointer(rebasing: bytes[tag.nameStart..<tag.nameEnd]))
        return (HTMLElementName.known[packed], packed)
    }

    /// Looks the names up, and removes what repeats an earlier one.
    @inline(__always)
    private mutating func nameAttributes(_ bytes: UnsafeBufferPointer<UInt8>) {
        func name(_ attribute: HTMLAttribute) -> UnsafeBufferPointer<UInt8> {
            UnsafeBufferPointer(rebasing: bytes[Int(attribute.nameStart)..<Int(attribute.nameEnd)])
        }
        var kept = 0
        for index in tag.attributes.indices {
            var attribute = tag.attributes[index]
            attribute.packed = PackedName(name(attribute))
            attribute.name = HTMLAttributeName.known[attribute.packed]
            var isRepeated = false
            for earlier in 0..<kept where tag.attributes[earlier].packed == attribute.packed {
                isRepeated =
                    attribute.packed.isExact
                    || name(tag.attributes[earlier]).elementsEqual(name(attribute)) { $0.lowercased == $1.lowercased }
                if isRepeated { break }
            }
            if isRepeated { continue }
            tag.attributes[kept] = attribute
            kept &+= 1
        }
        if kept < tag.attributes.count { tag.attributes.removeLast(tag.attributes.count &- kept) }
    }
}
