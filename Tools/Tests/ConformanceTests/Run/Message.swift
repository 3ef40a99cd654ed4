/// An HTTP/1.1 message as it was on the wire.
struct Message: Sendable {
    /// The request line or status line.
    var startLine: String
    var fields: [(name: String, value: String)]
    /// Without transfer coding.
    var body: [UInt8] = []
    var trailers: [(name: String, value: String)] = []
    /// Interim responses that came before.
    var interim: [(status: Int, fields: [(name: String, value: String)])] = []
    /// False when the connection ended first.
    var isComplete = true

    private func word(_ index: Int) -> String {
        let words = startLine.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        return words.count > index ? String(words[index]) : ""
    }

    var method: String { word(0) }
    var target: String { word(1) }
    var status: Int { Int(word(1)) ?? 0 }
    var text: String { String(decoding: body, as: UTF8.self) }

    /// All lines of a field, joined; `nil` where there is none.
    func value(_ name: String) -> String? { Self.value(name, in: fields) }

    static func value(_ name: String, in fields: [(name: String, value: String)]) -> String? {
        let lines = fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
        return lines.isEmpty ? nil : lines.joined(separator: ", ")
    }

    /// As text for people, each line after a mark.
    func transcript(_ mark: String) -> String {
        var lines: [String] = []
        for head in interim { lines += ["\(head.status)"] + head.fields.map { "\($0.name): \($0.value)" } + [""] }
        lines += [startLine] + fields.map { "\($0.name): \($0.value)" }
        if !body.isEmpty { lines += ["", text] }
        if !trailers.isEmpty { lines += [""] + trailers.map { "\($0.name): \($0.value)" } }
        if !isComplete { lines.append("(the connection ended before the message)") }
        return lines.map { mark + $0 }.joined(separator: "\n")
    }
}
