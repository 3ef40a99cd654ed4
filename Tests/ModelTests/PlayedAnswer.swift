/// Makes the reply to one request, as the step's plan says.
struct PlayedAnswer {
    var plan: OriginPlan
    var resource: PlayedOrigin.Representation
    var uri: String
    /// The reply's number, in the content and in `X-Exchange`.
    var number: Int
    /// When the response leaves.
    var now: Int64
    var method: String
    /// The fields of the request.
    var conditions: [ModelField]

    func reply() -> ModelContact.Reply {
        switch plan.manner {
        case .failure(let failure): return .failure(failure)
        case .needlessNotModified: return .response(notModified(tag: tag))
        case .foreignTag: return .response(notModified(tag: "\"nobody\""))
        case .bareNotModified: return .response(notModified(tag: nil, isBare: true))
        case .weakenedTag: return .response(notModified(tag: "W/" + resource.tag(uri)))
        case .proper: break
        }
        let isRead = method == "GET" || method == "HEAD"
        if isRead, plan.status == 200, !plan.ignoresConditions {
            if conditions.has("if-match"), !holds("if-match") { return .response(failed) }
            if isUnmodified { return .response(notModified(tag: tag)) }
            if let part { return .response(part) }
        }
        return .response(whole)
    }

    // MARK: Conditions, RFC 9110 §13

    private func holds(_ name: String) -> Bool {
        let tags = conditions.list(name)
        return tags.contains("*") || tags.contains { ModelText.weaklyMatch($0, resource.tag(uri)) }
    }

    private var isUnmodified: Bool {
        if conditions.has("if-none-match") { return holds("if-none-match") }
        guard let since = conditions.first("if-modified-since").flatMap({ ModelDate.parse($0) }) else { return false }
        return resource.lastModified <= since
    }

    // MARK: Responses

    private var tag: String? {
        switch plan.tag {
        case .none: nil
        case .strong: resource.tag(uri)
        case .weak: "W/" + resource.tag(uri)
        case .broken(let text): text
        }
    }

    private func print(_ moment: OriginPlan.Moment) -> String? {
        switch moment {
        case .none: nil
        case .ago(let seconds): ModelDate.print(now - seconds)
        case .literal(let text): text
        }
    }

    /// The content: with a strong tag the same for each version, else a different one every time.
    private var representation: String {
        if [204, 205, 304].contains(plan.status) { return "" }
        if case .strong = plan.tag, plan.status == 200 { return "version \(resource.version) of \(uri), as ever" }
        return "content \(number) of \(uri)"
    }

    private func fields(tag: String?, isBare: Bool = false) -> [ModelField] {
        var fields = [ModelField("X-Exchange", "\(number)")]
        if let date = print(plan.date) { fields.append(ModelField("Date", date)) }
        fields += plan.expires.compactMap { print($0) }.map { ModelField("Expires", $0) }
        if let tag { fields.append(ModelField("ETag", tag)) }
        if plan.sendsLastModified, !isBare {
            fields.append(
                ModelField("Last-Modified", plan.brokenLastModified ?? ModelDate.print(resource.lastModified)))
        }
        if let type = plan.contentType { fields.append(ModelField("Content-Type", type)) }
        return fields + plan.fields
    }

    private func notModified(tag: String?, isBare: Bool = false) -> ModelResponse {
        var fields = fields(tag: tag, isBare: isBare).without(["content-encoding"])
        if plan.misstatesLength { fields.append(ModelField("Content-Length", "7")) }
        return ModelResponse(status: 304, fields: fields, body: "", representation: "")
    }

    private var failed: ModelResponse {
        ModelResponse(
            status: 412, fields: [ModelField("X-Exchange", "\(number)"), ModelField("Content-Length", "0")], body: "",
            representation: "")
    }

    private var whole: ModelResponse {
        var fields = fields(tag: tag)
        let text = representation
        if plan.statesLength, ![204, 304].contains(plan.status) {
            fields.append(ModelField("Content-Length", "\(text.utf8.count)"))
        }
        let isEmpty = method == "HEAD" || text.isEmpty
        let isTruncated = plan.truncates && !isEmpty
        return ModelResponse(
            status: plan.status, fields: fields,
            body: isEmpty ? "" : isTruncated ? String(text.prefix(text.utf8.count / 2)) : text,
            representation: text, isTruncated: isTruncated)
    }

    /// One range of a representation, RFC 9110 §15.3.7; `nil` when the whole is to be sent.
    private var part: ModelResponse? {
        guard plan.honoursRange, method == "GET" else { return nil }
        let text = representation
        let record = ModelRecord(
            contact: number, status: 200, fields: fields(tag: tag), nominating: [], requestTime: now,
            responseTime: now, body: text, held: [], turn: number)
        let request = ModelRequest(
            partition: "", method: method, scheme: "", authority: "", path: "", fields: conditions)
        let wishes = ModelRanges.wishes(request, of: record)
        guard wishes.count == 1 else { return nil }
        switch wishes[0] {
        case .one(let range):
            let extent = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(text.utf8.count)"
            return ModelResponse(
                status: 206,
                fields: fields(tag: tag) + [
                    ModelField("Content-Range", extent), ModelField("Content-Length", "\(range.count)"),
                ], body: ModelRanges.slice(text, range), representation: text)
        case .unsatisfiable:
            return ModelResponse(
                status: 416,
                fields: [
                    ModelField("X-Exchange", "\(number)"), ModelField("Content-Range", "bytes */\(text.utf8.count)"),
                    ModelField("Content-Length", "0"),
                ], body: "", representation: "")
        default: return nil
        }
    }
}
