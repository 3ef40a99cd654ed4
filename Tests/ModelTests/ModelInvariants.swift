/// Guarantees that follow from the history alone, whatever the cache decided: a second opinion.
struct ModelInvariants {
    var cache: ModelKind
    /// The exchanges before this one, in order.
    var history: [ModelExchange]

    /// The guarantee that the exchange breaks; `nil` if it breaks none.
    func broken(by exchange: ModelExchange) -> String? {
        let answer = exchange.answer
        let isRead = exchange.request.isRead
        if exchange.request.method == "HEAD" || answer.status == 304, !answer.body.isEmpty {
            return "an answer without content has some"
        }
        let isConditional =
            exchange.request.fields.has("if-none-match") || exchange.request.fields.has("if-modified-since")
        let isFromOrigin = exchange.contacts.contains { "\($0.number)" == answer.fields.first("x-exchange") }
        if answer.status == 304, !isConditional, !isFromOrigin { return "304 to a request without conditions" }
        guard let number = answer.fields.first("x-exchange").flatMap({ Int($0) }) else {
            return answer.failure == nil ? "an answer of unknown origin" : nil
        }
        guard exchange.contacts.isEmpty else { return nil }
        // From here on the answer comes from the store alone.
        guard isRead else { return "a method that is not GET or HEAD was answered from the store" }
        guard let source = history.last(where: { $0.contacts.contains { $0.number == number } }),
            let contact = source.contacts.first(where: { $0.number == number }), let response = contact.response
        else { return "an answer from nowhere" }
        if source.request.partition != exchange.request.partition { return "an answer from another partition" }
        if source.request.target != exchange.request.target { return "an answer for another URI" }
        if let rule = forbidsStoring(source.request, response) { return "stored in spite of \(rule)" }
        return stale(exchange, source, contact, response) ?? body(exchange)
    }

    private func forbidsStoring(_ request: ModelRequest, _ response: ModelResponse) -> String? {
        let directives = ModelPolicy(response.fields, cache).directives
        if request.directives.has("no-store") { return "no-store in the request" }
        if directives.has("no-store") {
            // A 304 is about a response of another status.
            let isUnderstood = response.status == 304 || ModelStoring.understands(response.status) != .no
            let mayIgnore = directives.has("must-understand") && isUnderstood
            if !mayIgnore { return "no-store" }
        }
        if cache.isShared, directives.hasUnqualified("private") { return "private" }
        return nil
    }

    private func stale(
        _ exchange: ModelExchange, _ source: ModelExchange, _ contact: ModelContact, _ response: ModelResponse
    ) -> String? {
        // The age is at least the time since the origin sent or confirmed the response.
        let elapsed = exchange.answeredAt - contact.responseTime
        let age = exchange.answer.fields.first("age").flatMap { ModelText.seconds($0) }
        if exchange.answer.status != 304 {
            guard let age else { return "Age is missing" }
            if age < elapsed { return "Age \(age) is less than \(elapsed) seconds" }
        }
        if exchange.request.isDisconnected { return nil }
        let directives = ModelPolicy(exchange.answer.fields, cache).directives
        if directives.hasUnqualified("no-cache"), exchange.answer.status != 304 { return "no-cache was not validated" }
        if directives.has("must-revalidate"), let limit = directives.seconds("max-age").value,
            !(cache.isShared && directives.has("s-maxage")), max(age ?? 0, elapsed) >= limit
        {
            return "stale in spite of must-revalidate"
        }
        for later in history.drop(while: { $0.step <= source.step }) {
            guard later.request.partition == exchange.request.partition,
                later.request.target == exchange.request.target,
                let reply = later.contacts.last?.response
            else { continue }
            if ModelCache.invalidates(later.request, reply) { return "invalidated in step \(later.step)" }
        }
        for name in ModelRecord.nominated(exchange.answer.fields) {
            if name == "*" { return "Vary: * was not validated" }
            if source.request.fields.has(name) != exchange.request.fields.has(name), contact.response?.status != 304 {
                return "\(name) is nominated by Vary and differs"
            }
        }
        return nil
    }

    /// Checks that the content, or the whole that it is a part of, came in an exchange for the same URI and partition.
    private func body(_ exchange: ModelExchange) -> String? {
        guard exchange.request.method == "GET", exchange.answer.status == 200 else { return nil }
        let own = history.filter {
            $0.request.partition == exchange.request.partition && $0.request.target == exchange.request.target
        }
        let isKnown = own.contains { earlier in
            earlier.contacts.contains { $0.response?.representation == exchange.answer.body }
        }
        return isKnown ? nil : "content that the origin never sent for this URI"
    }
}
