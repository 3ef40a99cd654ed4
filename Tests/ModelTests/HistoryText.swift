/// A played history as lines for people.
enum HistoryText {
    static func lines(of history: PlayedHistory) -> String {
        var lines: [String] = []
        let start = history.exchanges.first?.presentedAt ?? 0
        for exchange in history.exchanges {
            let request = exchange.request
            let partition = request.partition.isEmpty ? "" : " in '\(request.partition)'"
            let network = request.isDisconnected ? " (disconnected)" : ""
            lines.append(
                "\(exchange.step). +\(exchange.presentedAt - start)s\(partition)\(network) \(request.method) "
                    + "\(request.scheme)://\(request.authority)\(request.path)\(text(request.fields))")
            for contact in exchange.contacts {
                let passed = contact.fields.filter { !request.fields.contains($0) }
                let added = passed.isEmpty ? "" : " asked with\(text(passed))"
                switch contact.reply {
                case .failure(let failure): lines.append("     #\(contact.number)\(added): failed, \(failure.rawValue)")
                case .response(let response):
                    lines.append(
                        "     #\(contact.number)\(added): \(response.status)\(text(response.fields)) "
                            + "<\(response.body)>\(response.isTruncated ? " cut off" : "")"
                            + (contact.requestTime == contact.responseTime
                                ? "" : " after \(contact.responseTime - contact.requestTime)s"))
                }
            }
            let answer = exchange.answer
            let status = answer.saysHit ? "hit" : answer.saysStored ? "stored" : answer.saysForwarded ? "forwarded" : ""
            let isSame = exchange.contacts.last?.response.map { $0.body == answer.body && $0.fields == answer.fields }
            lines.append(
                "     → \(answer.status) \(answer.failure ?? "") \(status)"
                    + (isSame == true ? " as it came" : "\(text(answer.fields)) <\(answer.body)>")
                    + (answer.brokeOff ? " broke off" : ""))
        }
        if let complaint = history.complaint { lines.append("   ✘ \(complaint)") }
        return lines.joined(separator: "\n")
    }

    private static func text(_ fields: [ModelField]) -> String {
        fields.isEmpty ? "" : " [" + fields.map(\.description).joined(separator: " | ") + "]"
    }
}
