/// RFC 9111 §4.3.3 and §4.3.4: what a 304 does.
extension ModelOutcome {
    mutating func notModified(_ index: Int, _ response: ModelResponse, _ chosen: ModelRecord?) {
        let contact = exchange.contacts[index]
        let isLast = index == exchange.contacts.count - 1
        func isConditional(_ fields: [ModelField]) -> Bool {
            fields.has("if-none-match") || fields.has("if-modified-since")
        }
        guard isConditional(contact.fields) else {
            // RFC 9110 §15.4.5: without a condition it is no valid answer. To a request for the rest of a part either:
            // then the whole may be asked for.
            if isLast {
                failed(.malformed, chosen)
            } else if contact.fields.has("if-range"), !validation.adds(exchange.contacts[index + 1]) {
                asked(index + 1, nil)
            }
            return
        }
        let mayRelay = isConditional(request.fields)
        let found = identified(by: response, to: contact, chosen)
        if !found.isEmpty {
            guard isLast else {
                askedAgain(index, found[0], response, chosen)
                return
            }
            let isRelayed = mayRelay && relays(response)
            for record in found {
                let updated = validation.updated(record, by: contact, response)
                let isServed =
                    ModelRanges.canAnswer(request, from: updated)
                    && fits(updated, at: exchange.answeredAt, confirmedBy: response)
                if isServed || isRelayed { next += kept(record, as: updated, contact, response) }
            }
            // §4.3.4 updates what is "suitable for updating"; a 304 to the client's own conditions may be for the
            // client.
            let isForOrigin = request.fields.has("if-match") || request.fields.has("if-unmodified-since")
            if isRelayed, isForOrigin || !validation.adds(contact) { next.append(records) }
            if isRelayed, response.fields.list("vary").contains("*") { next.append(records) }
            if next.isEmpty { complaints.append("the 304 confirmed #\(found[0].contact)") }
            return
        }
        // Nothing is identified: "the cache MUST NOT use the new response to update any stored responses".
        if isLast, mayRelay, relays(response) { next.append(records) }
        if isLast, answer.failure != nil, answer.status == 502 { next.append(records) }
        let isOurs = validation.adds(contact) || chosen.map { validation.carries(contact, validatorsOf: $0) } ?? false
        if isOurs, !isLast, !validation.adds(exchange.contacts[index + 1]) { asked(index + 1, nil) }
    }

    /// The record that a 304 confirms first; any of several if none was chosen before.
    private func identified(
        by response: ModelResponse, to contact: ModelContact, _ chosen: ModelRecord?
    ) -> [ModelRecord] {
        let found = validation.identified(records, by: response)
        if let chosen, found.contains(chosen) { return [chosen] }
        let asked = found.filter { record in
            validation.carries(contact, validatorsOf: record) && ModelRanges.canAnswer(request, from: record)
        }
        if !found.isEmpty { return asked.isEmpty ? [found[0]] : asked }
        // Our choice: a strong tag confirms the records that have it as a weak one, if that was sent.
        if let tag = response.fields.first("etag"), ModelText.isEntityTag(tag), !tag.hasPrefix("W/") {
            let weak = records.filter {
                ModelText.weaklyMatch($0.entityTag ?? "", tag) && validation.carries(contact, validatorsOf: $0)
            }
            if let chosen, weak.contains(chosen) { return [chosen] }
            return weak
        }
        // Our choice: a 304 without any validator confirms the record whose validators the request had.
        guard ModelValidation.isBare(response) else { return [] }
        if let chosen { return validation.carries(contact, validatorsOf: chosen) ? [chosen] : [] }
        let carried = records.filter { validation.carries(contact, validatorsOf: $0) }
        let variants = ModelSelection.variants(records, missedBy: request).filter { carried.contains($0) }
        // A variant may match the request as well; it was sent because the chosen one has a coding that the request
        // excludes.
        return variants.count == 1 ? variants : carried.count == 1 ? carried : []
    }

    /// The states after a 304 that turned one record into another.
    private func kept(
        _ record: ModelRecord, as updated: ModelRecord, _ contact: ModelContact, _ response: ModelResponse
    ) -> [[ModelRecord]] {
        let isBarred = validation.mustNotKeep(response, over: record)
        var states = isBarred.canBe ? [records] : []
        if isBarred != .yes { states += freshened(record, to: updated) }
        for other in validation.alsoIdentified(records, by: response, beside: record) {
            // "all of the stored responses … are identified for update", each unless it must not be stored.
            let isBarred = validation.mustNotKeep(response, over: other)
            let isOpen = isBarred.canBe || ModelSelection.matches(other, request) != .yes
            var changed = isOpen ? states : []
            if isBarred != .yes {
                let new = validation.updated(other, by: contact, response)
                changed += states.map { $0.map { $0 == other ? new : $0 } }
            }
            states = changed
        }
        return states.flatMap { Self.onePerVariant($0) }
    }

    private func freshened(_ record: ModelRecord, to updated: ModelRecord) -> [[ModelRecord]] {
        if ModelSelection.isNominated(record, request) { return [records.filter { $0 != record } + [updated]] }
        // Only "those that could have been chosen for that request" are updated, so this record stays as it is. But the
        // origin chose its content for this request, so a copy is stored.
        var copy = updated
        copy.nominating = request.fields
        return [records.filter { !$0.isSameVariant(as: copy) } + [copy]]
    }

    /// The states if the cache asks again without conditions. It may when a 304 confirms another record, or makes the
    /// chosen one unusable: a new tag may no longer let a part answer.
    private mutating func askedAgain(
        _ index: Int, _ record: ModelRecord, _ response: ModelResponse, _ chosen: ModelRecord?
    ) {
        let updated = validation.updated(record, by: exchange.contacts[index], response)
        let isUseless =
            response.fields.list("vary").contains("*") || record != chosen
            || !ModelRanges.canAnswer(request, from: updated)
        guard isUseless, !validation.adds(exchange.contacts[index + 1]) else { return }
        for state in [records, records.filter { $0 != record }] {
            var again = ModelOutcome(cache: cache, exchange: exchange, records: state)
            again.asked(index + 1, nil)
            next += again.next
        }
    }

    // MARK: In the background

    /// Takes the validation after an answer from a record, RFC 5861 §3.
    mutating func background(_ served: ModelRecord, _ index: Int = 0) {
        let contact = exchange.contacts[index]
        let isLast = index == exchange.contacts.count - 1
        guard let response = contact.response else {
            if isLast { next.append(records) }
            return
        }
        if response.status == 304 {
            guard isLast else {
                if !validation.adds(exchange.contacts[index + 1]) { background(served, index + 1) }
                return
            }
            let found = identified(by: response, to: contact, served)
            // The stored records also stay as they are if the cache had added no conditions: then it did not ask for a
            // 304.
            if found.isEmpty || !validation.adds(contact) { next.append(records) }
            for record in found {
                next += kept(record, as: validation.updated(record, by: contact, response), contact, response)
            }
            return
        }
        guard isLast else { return }
        if response.isTruncated {
            let parts = ModelParts(cache: cache, request: request)
            if response.status != 206 { next += outdated(records, by: response) }
            next += [records] + parts.kept(records, contact, response, isTold: true)
            return
        }
        let verdict = ModelStoring.mayStore(response, to: request, cache)
        if verdict != .yes || response.status >= 500 || response.fields.list("vary").contains("*") {
            next += outdated(records, by: response)
        }
        guard verdict != .no else { return }
        next += Self.stored(record(contact, response), among: records)
    }
}
