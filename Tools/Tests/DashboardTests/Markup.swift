/// A page as a strict reader sees it: its tags, and whether they nest.
struct Markup {
    struct Tag {
        var name: String
        var attributes: [String: String]
    }

    /// What begins an element, in order.
    private(set) var tags: [Tag] = []
    /// What a strict reader objects to.
    private(set) var faults: [String] = []
    /// The text between tags, character references and all, without style sheets.
    private(set) var text = ""

    private static let void: Set = ["meta", "img"]

    init(_ page: String) {
        var open: [String] = []
        var rest = Substring(page)
        while let start = rest.firstIndex(of: "<") {
            if open.last != "style" { text += rest[..<start] + " " }
            rest = rest[start...].dropFirst()
            guard let end = rest.firstIndex(of: ">") else {
                faults.append("a tag does not end")
                return
            }
            let content = rest[..<end]
            rest = rest[end...].dropFirst()
            if content.hasPrefix("!") { continue }
            if content.hasPrefix("/") {
                let name = String(content.dropFirst())
                if open.popLast() != name { faults.append("</\(name)> closes another element") }
                continue
            }
            let tag = read(content)
            tags.append(tag)
            if !Self.void.contains(tag.name) { open.append(tag.name) }
        }
        if !open.isEmpty { faults.append("never closed: \(open)") }
    }

    private mutating func read(_ content: Substring) -> Tag {
        let name = content.prefix { $0 != " " }
        var tag = Tag(name: String(name), attributes: [:])
        var rest = content.dropFirst(name.count).drop { $0 == " " }
        while !rest.isEmpty {
            let key = String(rest.prefix { $0 != "=" && $0 != " " })
            rest = rest.dropFirst(key.count)
            var value = ""
            if rest.hasPrefix("=\"") {
                rest = rest.dropFirst(2)
                value = String(rest.prefix { $0 != "\"" })
                rest = rest.dropFirst(value.count)
                if rest.popFirst() != "\"" { faults.append("\(key) of <\(name)> does not end") }
            } else if rest.popFirst() == "=" {
                faults.append("\(key) of <\(name)> is not quoted")
            }
            if tag.attributes.updateValue(value, forKey: key) != nil { faults.append("\(key) twice in <\(name)>") }
            rest = rest.drop { $0 == " " }
        }
        return tag
    }
}
