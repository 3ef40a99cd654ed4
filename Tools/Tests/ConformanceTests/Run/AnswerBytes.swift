import HTTPCacheSemantics

/// An answer as bytes.
struct AnswerBytes: Sendable {
    /// What goes out at once.
    var first: [UInt8] = []
    /// What goes out after the pause, where there is one.
    var rest: [UInt8] = []
    var closes = false

    init(_ reply: OriginScript.Reply, method: String, now: WallInstant) {
        let answer = reply.answer
        switch answer.failure {
        case .unreachable, .closesBeforeHead:
            closes = true
            return
        case .garbage:
            rest = Array("This is no HTTP.\r\n\r\n".utf8)
            closes = true
            return
        case nil: break
        }
        let mayHaveBody = method != "HEAD" && ![204, 304].contains(answer.status)
        let body = Array(reply.placeholders.fill(answer.body ?? reply.ownBody).utf8)
        first = Array(Self.head(reply, bodyCount: body.count, now: now).utf8)
        closes = answer.surplus != nil || answer.cutAfter != nil
        if mayHaveBody {
            let sent = Array(body.prefix(answer.cutAfter ?? body.count))
            let early = min(answer.pauseAfter ?? sent.count, sent.count)
            append(sent[..<early], answer, to: &first)
            append(sent[early...], answer, to: &rest)
            if case .untilClose = answer.framing { closes = true }
            if case .chunked = answer.framing, answer.cutAfter == nil {
                rest += Array("0\r\n".utf8) + Array(answer.trailers.map { $0 + "\r\n" }.joined().utf8) + [13, 10]
            }
        }
        rest += Array((answer.surplus ?? "").utf8)
        if answer.pauseAfter == nil { (first, rest) = ([], first + rest) }
    }

    private func append(_ piece: ArraySlice<UInt8>, _ answer: Answer, to bytes: inout [UInt8]) {
        guard !piece.isEmpty else { return }
        guard case .chunked = answer.framing else {
            bytes += piece
            return
        }
        bytes += Array((String(piece.count, radix: 16) + "\r\n").utf8) + piece + [13, 10]
    }

    private static func head(_ reply: OriginScript.Reply, bodyCount: Int, now: WallInstant) -> String {
        let answer = reply.answer
        var text = ""
        for interim in answer.interim {
            text += "HTTP/1.1 \(interim.status) Interim\r\n"
            text += interim.fields.map { reply.placeholders.fill($0) + "\r\n" }.joined() + "\r\n"
        }
        text += "\(answer.version) \(answer.status) \(answer.status < 400 ? "Fine" : "Wrong")\r\n"
        var fields = answer.fields.map(reply.placeholders.fill)
        func has(_ name: String) -> Bool { fields.contains { $0.lowercased().hasPrefix(name + ":") } }
        if answer.isDated, !has("date") { fields.append("Date: " + HTTPDate.print(now)) }
        let isBodyless = [204, 304].contains(answer.status)
        switch answer.framing {
        case .length: if !isBodyless { fields.append("Content-Length: \(bodyCount)") }
        case .stating(let length): fields.append("Content-Length: \(length)")
        case .chunked: fields.append("Transfer-Encoding: chunked")
        case .untilClose: break
        }
        return text + fields.map { $0 + "\r\n" }.joined() + "\r\n"
    }
}
