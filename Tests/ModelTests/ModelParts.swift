/// RFC 9111 §3.3 and §3.4: responses that do not hold the whole representation.
struct ModelParts {
    var cache: ModelKind
    var request: ModelRequest

    /// The lists of records that may be stored after a 206 or a response that broke off.
    ///
    /// - Parameter isTold: Whether the cache says that it stored the response.
    func kept(
        _ before: [ModelRecord], _ contact: ModelContact, _ response: ModelResponse, isTold: Bool
    ) -> [[ModelRecord]] {
        guard request.method == "GET", let range = range(response),
            ModelStoring.mayStore(asWhole(response), to: request, cache) != .no
        else { return response.status == 206 && isTold ? [] : [before] }
        let new = record(contact, response, range)
        let tag = new.entityTag.flatMap { $0.hasPrefix("W/") ? nil : $0 }
        // Without a tag a response that broke off can't be completed. A 206 still answers ranges within it.
        guard isTold, tag != nil || !response.isTruncated else { return [before] }
        if new.isComplete { return ModelOutcome.stored(new, among: before) }
        var states: [[ModelRecord]] = []
        let rivals = before.filter { !$0.isInvalid && $0.isSameVariant(as: new) }
        for whole in rivals where whole.isComplete {
            // Our choice: a part does not replace a whole, but a whole of another representation needs validation.
            var marked = whole
            marked.isMarkedStale = !ModelText.stronglyMatch(whole.entityTag ?? "", tag ?? "")
            states.append(before.map { $0 == whole ? marked : $0 })
        }
        for (part, combined) in combinations(before, new) {
            states += Self.replaced(part, by: combined, among: before)
        }
        if !rivals.contains(where: \.isComplete) {
            states += ModelOutcome.stored(new, among: before)
        }
        return states
    }

    /// The whole responses that a 206 may have completed, each with its stored part.
    func completions(
        _ before: [ModelRecord], _ contact: ModelContact, _ response: ModelResponse
    ) -> [(part: ModelRecord, whole: ModelRecord)] {
        guard request.method == "GET", let range = range(response) else { return [] }
        return combinations(before, record(contact, response, range)).filter { $0.whole.isComplete }
    }

    /// RFC 9110 §15.3.7.3: "if both responses share the same strong validator".
    private func combinations(_ before: [ModelRecord], _ new: ModelRecord) -> [(part: ModelRecord, whole: ModelRecord)]
    {
        before.filter { part in
            !part.isComplete && !part.isInvalid && ModelSelection.isNominated(part, request)
                && ModelText.stronglyMatch(part.entityTag ?? "", new.entityTag ?? "")
        }.map { ($0, combined($0, new)) }
    }

    /// The states after a combination. With a new `Vary` it may stand beside the part that it was made of.
    static func replaced(
        _ part: ModelRecord, by combined: ModelRecord, among before: [ModelRecord]
    ) -> [[ModelRecord]] {
        let states = ModelOutcome.stored(combined, among: before.filter { $0 != part })
        return combined.isSameVariant(as: part) ? states : states + ModelOutcome.stored(combined, among: before)
    }

    private func record(_ contact: ModelContact, _ response: ModelResponse, _ range: Range<Int>) -> ModelRecord {
        ModelRecord(
            contact: contact.number, status: 200,
            fields: ModelStoring.storedFields(response.fields, cache).without(["content-range"]),
            nominating: request.fields, requestTime: contact.requestTime, responseTime: contact.responseTime,
            body: response.representation, held: [range], turn: contact.number)
    }

    /// The response as if it were whole: the same directives decide about storing.
    private func asWhole(_ response: ModelResponse) -> ModelResponse {
        var whole = response
        if whole.status == 206 { whole.status = 200 }
        return whole
    }

    /// The range of the bytes that came, if known.
    private func range(_ response: ModelResponse) -> Range<Int>? {
        if response.status == 200 { return response.body.isEmpty ? nil : 0..<response.body.utf8.count }
        guard response.status == 206, let text = response.fields.first("content-range"), text.hasPrefix("bytes ") else {
            return nil
        }
        let numbers = text.dropFirst(6).split { $0 == "-" || $0 == "/" }.compactMap { Int($0) }
        guard numbers.count == 3 else { return nil }
        let end = min(numbers[1] + 1, numbers[0] + response.body.utf8.count)
        return numbers[0] < end ? numbers[0]..<end : nil
    }

    /// §3.4: "the cache MUST update the stored response header fields using the header fields provided in the new
    /// response".
    private func combined(_ record: ModelRecord, _ part: ModelRecord) -> ModelRecord {
        var whole = part
        let news = part.fields.without(["content-length", "content-encoding"])
        whole.contact = record.contact
        // The old age and date belong to the old response.
        whole.fields = record.fields.without(news.map(\.name) + ["age", "date"]) + news
        var held: [Range<Int>] = []
        for range in (record.held + part.held).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = held.last, range.lowerBound <= last.upperBound {
                held[held.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                held.append(range)
            }
        }
        whole.held = held
        return whole
    }
}
