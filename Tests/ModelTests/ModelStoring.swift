/// RFC 9111 §3: "A cache MUST NOT store a response to a request unless", in the order of that list.
enum ModelStoring {
    /// Status codes that RFC 9110 §15 and others define, besides the heuristically cacheable ones.
    private static let registered =
        [201, 202, 205, 207, 208, 226, 302, 303, 305, 307, 451] + Array(400...417) + [
            421, 422, 423, 424, 425, 426, 428,
        ]
        + [429, 431, 500, 502, 503, 504, 505, 506, 507, 508, 511]

    static func mayStore(_ response: ModelResponse, to request: ModelRequest, _ cache: ModelKind) -> ModelVerdict {
        let directives = ModelPolicy(response.fields, cache).directives
        // ``ModelParts`` handles parts.
        guard response.status != 304, response.status != 206 else { return .no }
        return method(request, response, cache) && understood(response.status, directives)
            && permitted(response.status, directives, request, cache) && shared(directives, request, cache)
            && reason(response, directives, cache)
    }

    /// "the request method is understood by the cache". HEAD has no content to store.
    private static func method(
        _ request: ModelRequest, _ response: ModelResponse, _ cache: ModelKind
    ) -> ModelVerdict {
        if request.method == "GET" { return .yes }
        guard request.method == "POST" else { return .no }
        // RFC 9110 §9.3.3: explicit freshness, and "a Content-Location header field that has the same value as the
        // POST's target URI".
        let policy = ModelPolicy(response.fields, cache)
        let directives = policy.directives
        let isExplicit =
            directives.seconds("max-age").value != nil || !policy.expires.isEmpty
            || cache.isShared && directives.seconds("s-maxage").value != nil
        let isItself = response.fields.first("content-location").map {
            ModelTarget.resolved($0, against: request.target) == request.target
        }
        // There, but worth nothing.
        let isUnreadable = directives.has("max-age") || cache.isShared && directives.has("s-maxage")
        guard isExplicit || isUnreadable, isItself == true else { return .no }
        return isExplicit && response.status == 200 ? .yes : .either
    }

    /// "if … the must-understand cache directive is present: the cache understands the response status code".
    static func understood(_ status: Int, _ directives: ModelDirectives) -> ModelVerdict {
        directives.has("must-understand") ? understands(status) : .yes
    }

    /// A cache may choose which registered codes it implements.
    static func understands(_ status: Int) -> ModelVerdict {
        if ModelFreshness.isCacheable(status) { return .yes }
        return registered.contains(status) ? .either : .no
    }

    /// "the no-store cache directive is not present in the response (see Section 5.2.2.5)"; in a request it counts as
    /// well (§5.2.1.5), and nothing overrides that.
    static func permitted(
        _ status: Int, _ directives: ModelDirectives, _ request: ModelRequest, _ cache: ModelKind
    ) -> ModelVerdict {
        if request.directives.has("no-store") { return .no }
        guard directives.has("no-store") else { return .yes }
        return directives.has("must-understand") ? understands(status) : .no
    }

    /// The two conditions that begin with "if the cache is shared".
    static func shared(_ directives: ModelDirectives, _ request: ModelRequest, _ cache: ModelKind) -> ModelVerdict {
        guard cache.isShared else { return .yes }
        if directives.hasUnqualified("private") { return .no }
        let isAllowed: ModelVerdict =
            if !request.fields.has("authorization") || directives.has("public") || directives.has("must-revalidate")
                || directives.seconds("s-maxage").value != nil
            { .yes } else { directives.has("s-maxage") ? .either : .no }
        // A qualified `private` MAY be handled by storing the rest.
        return isAllowed && (directives.has("private") ? .either : .yes)
    }

    /// "the response contains at least one of the following".
    private static func reason(
        _ response: ModelResponse, _ directives: ModelDirectives, _ cache: ModelKind
    ) -> ModelVerdict {
        if directives.has("public") || !cache.isShared && directives.hasUnqualified("private") { return .yes }
        if ModelFreshness.isCacheable(response.status) { return .yes }
        if !ModelPolicy(response.fields, cache).expires.isEmpty { return .yes }
        if directives.seconds("max-age").value != nil { return .yes }
        if cache.isShared, directives.seconds("s-maxage").value != nil { return .yes }
        // There, but worth nothing.
        let isUnreadable = directives.has("max-age") || cache.isShared && directives.has("s-maxage")
        return isUnreadable || !cache.isShared && directives.has("private") ? .either : .no
    }

    /// RFC 9111 §3.1: what is kept of the fields. "The no-cache … and private … cache directives can have arguments
    /// that prevent storage of header fields by all caches and shared caches, respectively."
    static func storedFields(_ fields: [ModelField], _ cache: ModelKind) -> [ModelField] {
        let directives = ModelPolicy(fields, cache).directives
        let withheld = directives.fieldNames("no-cache") + (cache.isShared ? directives.fieldNames("private") : [])
        return fields.endToEnd.without(withheld)
    }
}
