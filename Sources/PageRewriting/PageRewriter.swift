import PageSyntax

/// Turns the absolute addresses of named hosts in a document or style sheet to another scheme, as its bytes come.
///
/// Pieces may be cut anywhere; what comes out does not depend on it. Bytes are held back only from the beginning of a
/// token that is not complete, with which an engine could do nothing either; but never more than ``mostBeforeFirst``
/// before the first byte. A piece in which nothing changes is given out as it came.
///
/// The source is in UTF-8 or in another encoding in which the bytes of ASCII mean ASCII. What is not found stays as it
/// is, and is asked for under its own address.
package struct PageRewriter: Sendable {
    package enum Kind: Hashable, Sendable { case document, styleSheet }

    package struct Options: Hashable, Sendable {
        package var hosts: NamedHosts
        /// Whether film and sound are turned; some players load nothing from a scheme of an app's own.
        package var includesMedia = true
        /// Whether the source is surely UTF-8; if not, addresses with other bytes than those of ASCII stay.
        package var isUTF8 = true
        /// A policy allows the scripts and styles within the document by their hashes.
        package var keepsInlineText = false
        /// The document's host, for policies within it.
        package var host: String?

        package init(hosts: NamedHosts, host: String? = nil) {
            (self.hosts, self.host) = (hosts, host)
        }
    }

    /// Bytes: 4 KiB.
    package static let mostBeforeFirst = 4_096

    /// One of the two, after the kind.
    private var document: PageReferences?
    private var styleSheet: CSSReferences?
    private var findings: Findings
    /// Bytes that have come and not gone out, from the one at ``heldStart`` on.
    private var held: [UInt8] = []
    private var heldStart = 0

    package init(_ kind: Kind, _ options: Options) {
        switch kind {
        case .document: document = PageReferences()
        case .styleSheet: styleSheet = CSSReferences()
        }
        findings = Findings(options: options)
    }

    /// Addresses that the document names with a hash of their content, since the last call; as written. What is asked
    /// for there has to come unchanged.
    package mutating func takeHashedAddresses() -> [(address: String, base: String?)] {
        defer { findings.hashed = [] }
        return findings.hashed
    }

    /// - Returns: The bytes that can go on, of all that have come.
    package mutating func rewrite(_ piece: [UInt8]) -> [UInt8] {
        guard !piece.isEmpty else { return [] }
        read(piece)
        return take(piece, upTo: min(reported, heldStart + held.count + piece.count))
    }

    /// The source ends here.
    ///
    /// - Returns: The rest.
    package mutating func finish() -> [UInt8] {
        read(nil)
        return take([], upTo: heldStart + held.count)
    }

    /// - Parameter piece: `nil` at the end.
    private mutating func read(_ piece: [UInt8]?) {
        // Taken out, so that the closures do not reach into what is changed.
        var findings = Findings(options: findings.options)
        swap(&findings, &self.findings)
        if let piece {
            document?.feed(piece) { findings.add($0, $1) }
            styleSheet?.feed(piece) { findings.add($0, nil) }
        } else {
            document?.finish { findings.add($0, $1) }
            styleSheet?.finish { findings.add($0, nil) }
        }
        swap(&findings, &self.findings)
    }

    /// Up to where nothing will be put in any more.
    private var reported: Int { document?.reported ?? styleSheet?.reported ?? 0 }

    private mutating func take(_ piece: [UInt8], upTo reported: Int) -> [UInt8] {
        let start = heldStart
        let whole = start + held.count + piece.count
        heldStart = max(reported, start)
        // The first byte of a token is never one of an address.
        if heldStart == 0, whole > Self.mostBeforeFirst { heldStart = 1 }
        let insertions = findings.take(upTo: heldStart)
        if held.isEmpty, insertions.isEmpty, heldStart == whole { return piece }
        held += piece
        defer { held.removeFirst(heldStart - start) }
        return insertions.put(into: held[..<(heldStart - start)], at: start)
    }
}

/// Text that is put into a source; nothing is ever taken out.
package struct Insertion: Hashable, Sendable {
    /// Counted in bytes from the beginning of the source; the text comes before this byte.
    package var offset: Int
    package var text: String

    package init(at offset: Int, _ text: String = NamedHosts.insertion) {
        (self.offset, self.text) = (offset, text)
    }
}

extension [Insertion] {
    /// Bytes of a source with these texts, which are in order.
    ///
    /// - Parameters:
    ///   - bytes: The first of them has the index 0.
    ///   - start: Its place in the source.
    func put(into bytes: ArraySlice<UInt8>, at start: Int = 0) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + reduce(0) { $0 + $1.text.utf8.count })
        var copied = 0
        for insertion in self {
            let place = Swift.max(copied, insertion.offset - start)
            output += bytes[copied..<place]
            output += insertion.text.utf8
            copied = place
        }
        output += bytes[copied...]
        return output
    }
}
