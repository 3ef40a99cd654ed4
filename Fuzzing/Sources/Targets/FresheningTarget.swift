import HTTPCacheSemantics
import HTTPTypes

/// Freshening, RFC 9111 §4.3.4 and §3.2: the request, the 304, then the stored response; the start lines of the latter
/// two are `status requestTime responseTime`.
enum FresheningTarget: FuzzTarget {
    static let name = "freshening"
    static let shapes =
        HostileShape.list(after: "GET\n\n304 0 0\nCache-Control: ")
        + [
            HostileShape("ETag: \"a\"\n", after: "GET\n\n304 0 0\n"),
            HostileShape("Accept,", after: "GET\n\n304 0 0\nVary: "),
            HostileShape("a: b\n", after: "GET\n\n304 0 0\n\n200 0 0\n"),
        ]

    private static let described: [HTTPField.Name] = [
        .contentLength, .contentEncoding, .contentRange,
    ]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let messages = input.messages(3)
        let (asked, update, stored) = (messages[0], messages[1], messages[2])
        let response = stored.storedResponse
        func freshen(_ response: StoredResponse) -> StoredResponse {
            Freshening.freshen(
                response, with: update.fields, answering: asked.fields,
                requestTime: WallInstant(unixSeconds: update.number(1)),
                responseTime: WallInstant(unixSeconds: update.number(2)))
        }
        let updated = freshen(response)
        let again = freshen(updated)
        try claim(again.fields.octets == updated.fields.octets, "the same 304 twice is the same", [updated, again])
        try claim(updated.status == response.status, "the status stays", [updated])
        let directives = CacheControl(updated.fields)
        for name in described where !(directives.qualifiedFieldNames("no-cache") ?? []).contains(name) {
            try claim(
                updated.fields[values: name] == response.fields[values: name], "what describes content stays (§3.2)",
                [name, updated])
        }
        try claim(
            StorableFields.select(from: updated.fields).octets == updated.fields.octets, "only what may be stored",
            [updated])
        try claim(updated.currentAge(at: updated.responseTime) >= .zero, "an age is not negative", [updated])

        guard Freshening.applies(update.fields, to: response) else { return }
        try claim(Vary(update.fields) != .anything, "what varies on everything freshens nothing (§4.1)", [update])
        let tag = update.fields[.eTag].flatMap { EntityTag($0) }
        let own = response.fields[.eTag].flatMap { EntityTag($0) }
        if let tag {
            try claim(own.map(tag.weaklyMatches) ?? false, "the tags match (§4.3.4)", [tag])
        }
    }
}
