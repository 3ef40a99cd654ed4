/// RFC 9111 §4.3: validation requests, and what a 304 does.
struct ModelValidation {
    var cache: ModelKind
    var request: ModelRequest

    // MARK: §4.3.1 Sending a Validation Request

    /// What is wrong with a request that reached the origin; `nil` when nothing is.
    func complaint(
        about contact: ModelContact, _ records: [ModelRecord], chosen: ModelRecord?, mustBeConditional: Bool
    ) -> String? {
        guard contact.method == request.method, contact.target == request.target else { return "another request" }
        let own = ["if-none-match", "if-modified-since", "if-range", "range"]
        guard contact.fields.without(own + ["via"]) == request.fields.without(own) else {
            return "the request's fields did not pass unchanged"
        }
        let mayCondition = request.isRead && !records.isEmpty
        let tags = contact.fields.list("if-none-match")
        let clientTags = request.fields.list("if-none-match")
        let known = records.compactMap(\.sentTag)
        guard tags.allSatisfy({ clientTags.contains($0) || mayCondition && known.contains($0) }) else {
            return "If-None-Match names a tag that neither the client nor a stored response has"
        }
        let dates = contact.fields.values("if-modified-since")
        let modified = records.compactMap { $0.fields.first("last-modified") }
        guard
            dates.allSatisfy({
                request.fields.values("if-modified-since").contains($0) || mayCondition && modified.contains($0)
            })
        else { return "If-Modified-Since is neither the client's nor a stored response's Last-Modified" }
        let speaksOfOurs = mayCondition && records.contains { carries(contact, validatorsOf: $0) }
        if !adds(contact), !speaksOfOurs,
            ["if-none-match", "if-modified-since"].contains(where: {
                request.fields.has($0) && !contact.fields.has($0)
            })
        {
            return "the client's conditions were lost"
        }
        if let range = rangeComplaint(contact, records) { return range }
        let hasClientConditions = request.fields.has("if-none-match") || request.fields.has("if-modified-since")
        guard mustBeConditional, !hasClientConditions else { return nil }
        guard let chosen else {
            let missed = ModelSelection.variants(records, missedBy: request).compactMap(\.entityTag)
            return missed.allSatisfy { tags.contains($0) } ? nil : "the tags of the variants are not in If-None-Match"
        }
        if let tag = chosen.entityTag {
            // "MUST send the relevant entity tags … if the entity tags were provided in the stored response(s)".
            return tags.contains(tag) ? nil : "the stored entity tag is not in If-None-Match"
        }
        return dates.isEmpty ? "the stored Last-Modified is not in If-Modified-Since" : nil
    }

    /// A range is passed on; only completing an incomplete response may add one.
    private func rangeComplaint(_ contact: ModelContact, _ records: [ModelRecord]) -> String? {
        if contact.fields.values("range") == request.fields.values("range") {
            let conditions = contact.fields.values("if-range")
            if conditions == request.fields.values("if-range") { return nil }
        }
        if !contact.fields.has("range"), !records.isEmpty { return nil }
        let isCompleting = records.contains { !$0.isComplete }
        return isCompleting ? nil : "the client's range did not pass unchanged"
    }

    /// Whether the cache put conditions of its own on the request.
    func adds(_ contact: ModelContact) -> Bool {
        contact.fields.list("if-none-match").contains { !request.fields.list("if-none-match").contains($0) }
            || contact.fields.values("if-modified-since") != request.fields.values("if-modified-since")
                && contact.fields.has("if-modified-since")
    }

    /// Whether a 304 to the request can confirm the record.
    func carries(_ contact: ModelContact, validatorsOf record: ModelRecord) -> Bool {
        if let tag = record.sentTag { return contact.fields.list("if-none-match").contains(tag) }
        return contact.fields.first("if-modified-since").map { $0 == record.fields.first("last-modified") } ?? false
    }

    // MARK: §4.3.4 Freshening Stored Responses upon Validation

    /// Whether a response names any validator.
    static func isBare(_ response: ModelResponse) -> Bool {
        !response.fields.has("last-modified")
            && !(response.fields.first("etag").map { ModelText.isEntityTag($0) } ?? false)
    }

    /// The records that a 304 identifies, most recent first.
    func identified(_ records: [ModelRecord], by response: ModelResponse) -> [ModelRecord] {
        let tag = response.fields.first("etag").flatMap { ModelText.isEntityTag($0) ? $0 : nil }
        let found: [ModelRecord]
        if let tag, !tag.hasPrefix("W/") {
            // "each of those strong validators identifies a selected representation for update."
            found = records.filter { ModelText.stronglyMatch($0.entityTag ?? "", tag) }
        } else if let tag {
            found = records.filter { ModelText.weaklyMatch($0.entityTag ?? "", tag) }
        } else if let modified = response.fields.first("last-modified") {
            found = records.filter { $0.fields.first("last-modified") == modified }
        } else {
            // "there is only one stored response in the initial set, and that stored response also lacks a validator"
            found = records.count == 1 && !records[0].hasValidator ? records : []
        }
        return found.sorted { ($0.date, $0.turn) > ($1.date, $1.turn) }
    }

    /// The other records that a 304 updates: "All the stored responses in the initial set with one of those same strong
    /// validators"; that set is "those that could have been chosen for that request".
    func alsoIdentified(
        _ records: [ModelRecord], by response: ModelResponse, beside record: ModelRecord
    ) -> [ModelRecord] {
        guard let tag = response.fields.first("etag"), ModelText.stronglyMatch(tag, tag) else { return [] }
        return identified(records, by: response).filter {
            $0 != record && ModelSelection.isNominated($0, request)
        }
    }

    /// Whether a 304's update must not be stored: the rules of storing apply to the 304 and to the result.
    func mustNotKeep(_ response: ModelResponse, over record: ModelRecord) -> ModelVerdict {
        if response.fields.list("vary").contains("*") { return .yes }
        let own = ModelPolicy(response.fields, cache).directives
        let isUnderstood = ModelStoring.understood(record.status, own)
        if isUnderstood == .no || ModelStoring.permitted(record.status, own, request, cache) == .no { return .yes }
        // Our choice: `private` counts with field names, too.
        if cache.isShared, own.has("private") { return .yes }
        let stored = ModelStoring.storedFields(response.fields, cache)
        let merged = ModelPolicy(record.fields.without(stored.map(\.name)) + stored, cache).directives
        let verdict =
            isUnderstood && ModelStoring.understood(record.status, merged)
            && ModelStoring.permitted(record.status, merged, request, cache)
            && ModelStoring.shared(merged, request, cache)
        return verdict == .yes ? .no : verdict == .no ? .yes : .either
    }

    /// The record after §3.2, "replacing field values that are already present".
    func updated(_ record: ModelRecord, by contact: ModelContact, _ response: ModelResponse) -> ModelRecord {
        let stored = ModelStoring.storedFields(response.fields, cache)
        // "header fields … necessary to ensure integrity", our choice: how the stored octets are to be read.
        // Likewise a weak tag, for which the 304 has the strong one.
        let (new, old) = (stored.first("etag") ?? "", record.entityTag ?? "")
        let keepsTag = old.hasPrefix("W/") && !new.hasPrefix("W/") && ModelText.weaklyMatch(new, old)
        let news = stored.without(["content-length", "content-encoding"] + (keepsTag ? ["etag"] : []))
        var updated = record
        // Our choice: the old age belongs to the old response. RFC 9110 §6.6.1: a 304 without Date has its time of
        // arrival.
        updated.fields = record.fields.without(news.map(\.name) + ["age", "date"]) + news
        // Our choice: the fields that the new `no-cache` lists are removed from the old fields, too.
        updated.fields = updated.fields.without(updated.policy(cache).directives.fieldNames("no-cache"))
        // §4.1, "those fields in the original request": for a changed Vary, only this request has them.
        if ModelRecord.nominated(updated.fields) != ModelRecord.nominated(record.fields) {
            updated.nominating = request.fields
        }
        updated.requestTime = contact.requestTime
        updated.responseTime = contact.responseTime
        updated.turn = contact.number
        updated.isInvalid = false
        updated.isMarkedStale = false
        return updated
    }

    // MARK: §4.3.5 Freshening Responses with HEAD

    /// The records after a 200 to HEAD.
    func freshenedByHead(_ records: [ModelRecord], _ contact: ModelContact, _ response: ModelResponse)
        -> [[ModelRecord]]
    {
        var alternatives: [[ModelRecord]] = [[]]
        for record in records {
            var changed = [record]
            // If-Match is not for caches, and updating is only a "SHOULD".
            let isForOrigin = request.fields.has("if-match") || request.fields.has("if-unmodified-since")
            // Our choice: a 200 updates whole 200s only.
            if record.status == 200, record.isComplete, ModelSelection.isNominated(record, request) {
                // "if the stored response and HEAD response have matching values for any received validator fields …
                // and … the value of Content-Length matches".
                let isSame = ["etag", "last-modified"].allSatisfy { name in
                    !response.fields.has(name) || response.fields.values(name) == record.fields.values(name)
                }
                let length = response.fields.first("content-length")
                if isSame, length == nil || length == "\(record.body.utf8.count)" {
                    let isBarred = mustNotKeep(response, over: record)
                    changed = isBarred == .yes ? [] : [updated(record, by: contact, response)]
                    if isBarred.canBe { changed.append(record) }
                } else {
                    changed[0].isMarkedStale = true
                }
                let isOpen = isForOrigin || ModelSelection.matches(record, request) != .yes
                if isOpen { changed.append(record) }
            }
            alternatives = alternatives.flatMap { rest in changed.map { rest + [$0] } }
        }
        return alternatives
    }
}
