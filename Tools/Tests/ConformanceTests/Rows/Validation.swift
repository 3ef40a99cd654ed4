extension Section {
    static let validation = Section(
        "RFC 9111 §4.3 Validation",
        [
            Row(
                "RFC 9111 §4.3.1", "an entity tag is sent in If-None-Match",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a""#)), .sentNo("If-None-Match")),
                .get(
                    after: 10, .validated(.notModified(#"ETag: "a""#)), .sent(#"If-None-Match: "a""#),
                    .sentNo("If-Modified-Since"))),
            Row(
                "RFC 9111 §4.3.1", "a weak tag is sent as it is",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: W/"a""#))),
                .get(after: 10, .validated(.notModified(#"ETag: W/"a""#)), .sent(#"If-None-Match: W/"a""#))),
            Row(
                "RFC 9110 §8.8.3", "a tag with commas and backslashes is sent octet by octet",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a,\b;c""#))),
                .get(after: 10, .validated(.notModified(#"ETag: "a,\b;c""#)), .sent(#"If-None-Match: "a,\b;c""#))),
            Row(
                "RFC 9111 §4.3.1", "Last-Modified is sent in If-Modified-Since",
                .get(.asked(.ok("Cache-Control: max-age=10", "Last-Modified: {-100}"))),
                .get(
                    after: 10, .validated(.notModified()), .sent("If-Modified-Since: {-100}"),
                    .sentNo("If-None-Match"))),
            Row(
                "RFC 9111 §4.3.1", "with both validators both are sent",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a""#, "Last-Modified: {-100}"))),
                .get(
                    after: 10, .validated(.notModified(#"ETag: "a""#)), .sent(#"If-None-Match: "a""#),
                    .sent("If-Modified-Since: {-100}"))),
            Row(
                "RFC 9111 §4.3.1", "without a validator the request is not made conditional",
                .get(.asked(.ok("Cache-Control: max-age=10"))),
                .get(after: 10, .asked(.ok()), .sentNo("If-None-Match"), .sentNo("If-Modified-Since"))),
            Row(
                "RFC 9111 §4.3.1", "the presented request's other fields go along",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a""#))),
                .get(
                    after: 10, with: ["Cookie: a=1", "X-A: 1"], .validated(.notModified(#"ETag: "a""#)),
                    .sent("Cookie: a=1"), .sent("X-A: 1"))),
            Row(
                "RFC 9111 §4.3.3", "304 lets the stored response be used, with its own status and content",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a""#, "Content-Type: text/x"))),
                .get(
                    after: 10, .validated(.notModified(#"ETag: "a""#)), .status(200),
                    .field("Content-Type: text/x"))),
            Row(
                "RFC 9111 §4.3.3", "a full response takes the place of the stored one",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a""#))),
                .get(
                    after: 10, .asked(.ok("Cache-Control: max-age=100", #"ETag: "b""#)),
                    .sent(#"If-None-Match: "a""#)),
                .get(after: 10, .stored, .field(#"ETag: "b""#))),
            Row(
                "RFC 9111 §4.3.3", "a full response is used even if it says the same tag",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a""#))),
                .get(after: 10, .asked(.ok("Cache-Control: max-age=100", #"ETag: "a""#))), .get(after: 10, .stored)),
            Row(
                "RFC 9111 §4.3.3", "a full response that may not be stored leaves nothing fresh behind",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a""#))),
                .get(after: 10, .asked(.ok("Cache-Control: no-store", #"ETag: "b""#))),
                .get(.either(.ok(body: "current")), .status(200), .body("current"))),
            Row(
                "RFC 9111 §4.3.3", "a redirection as an answer to a validation is passed on",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a""#))),
                .get(after: 10, .asked(.status(302, "Location: {path}/other")), .field("Location: {path}/other"))),
            Row(
                "RFC 9111 §5.2.2.4", "a response with no-cache is validated at every use",
                .get(.asked(.ok("Cache-Control: no-cache", #"ETag: "a""#)), .cacheStatus("stored")),
                .get(.validated(.notModified(#"ETag: "a""#, "Cache-Control: no-cache"))),
                .get(.validated(.notModified(#"ETag: "a""#, "Cache-Control: no-cache")))),
            Row(
                "RFC 9111 §4.3.4", "a stale 404 is validated as well",
                .get(.asked(.status(404, "Cache-Control: max-age=10", #"ETag: "a""#))),
                .get(after: 10, .validated(.notModified(#"ETag: "a""#)))),
            Row(
                "RFC 9111 §4.3.3", "a validation that fails half-way is no answer, and nothing is lost by it",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a""#))),
                .get(
                    after: 10,
                    .cutOff(Answer.ok("Cache-Control: max-age=100", body: "0123456789").cut(after: 3))),
                .get(.either(.ok(body: "anew")), .status(200), .body("anew"))),
        ])

    static let receivedConditions = Section(
        "RFC 9111 §4.3.2 Conditions of clients",
        [
            Row(
                "RFC 9111 §4.3.2", "If-None-Match with the stored tag is answered 304 from the store",
                .get(.asked(.ok("Cache-Control: max-age=100", #"ETag: "a""#))),
                .get(
                    after: 10, with: [#"If-None-Match: "a""#], .stored, .status(304), .empty,
                    .field(#"ETag: "a""#), .field("Date: {0}"), .field("Cache-Control: max-age=100"))),
            Row(
                "RFC 9110 §15.4.5", "a 304 of ours has what a 200 would have: Expires, Vary, Content-Location",
                .get(.asked(.ok("Expires: {100}", "Vary: X-A", "Content-Location: {path}/b", #"ETag: "a""#))),
                .get(
                    after: 10, with: [#"If-None-Match: "a""#], .stored, .status(304), .field("Expires: {100}"),
                    .field("Vary: X-A"), .field("Content-Location: {path}/b"))),
            Row(
                "RFC 9110 §13.1.2", "If-None-Match compares weakly",
                .get(.asked(.ok("Cache-Control: max-age=100", #"ETag: "a""#))),
                .get(with: [#"If-None-Match: W/"a""#], .stored, .status(304)),
                .get(at: "/w", .asked(.ok("Cache-Control: max-age=100", #"ETag: W/"a""#))),
                .get(at: "/w", with: [#"If-None-Match: "a""#], .stored, .status(304))),
            Row(
                "RFC 9110 §13.1.2", "one tag of several is enough",
                .get(.asked(.ok("Cache-Control: max-age=100", #"ETag: "b""#))),
                .get(with: [#"If-None-Match: "a", "b", "c""#], .stored, .status(304)),
                .get(with: [#"If-None-Match: "a""#, #"If-None-Match: "b""#], .stored, .status(304))),
            Row(
                "RFC 9110 §13.1.2", "* matches whatever is stored",
                .get(.asked(.ok("Cache-Control: max-age=100"))),
                .get(with: ["If-None-Match: *"], .stored, .status(304))),
            Row(
                "RFC 9110 §13.1.2", "another tag gets the whole response",
                .get(.asked(.ok("Cache-Control: max-age=100", #"ETag: "a""#))),
                .get(with: [#"If-None-Match: "b""#], .stored, .status(200)),
                .get(with: [#"If-None-Match: "A""#], .stored, .status(200))),
            Row(
                "RFC 9110 §8.8.3", "a tag that contains another in its text is another",
                .get(.asked(.ok("Cache-Control: max-age=100", #"ETag: "a""#))),
                .get(with: [#"If-None-Match: "x,"#, #"If-None-Match: "aa""#], .stored, .status(200))),
            Row(
                "RFC 9111 §4.3.2", "If-Modified-Since is compared with Last-Modified",
                .get(.asked(.ok("Cache-Control: max-age=100", "Last-Modified: {-100}"))),
                .get(with: ["If-Modified-Since: {-100}"], .stored, .status(304)),
                .get(with: ["If-Modified-Since: {-50}"], .stored, .status(304)),
                .get(with: ["If-Modified-Since: {-101}"], .stored, .status(200))),
            Row(
                "RFC 9111 §4.3.2", "without Last-Modified it is compared with Date",
                .get(.asked(.ok("Cache-Control: max-age=100"))),
                .get(after: 10, with: ["If-Modified-Since: {0}"], .stored, .status(304)),
                .get(with: ["If-Modified-Since: {-1}"], .stored, .status(200))),
            Row(
                "RFC 9110 §13.1.3", "an If-Modified-Since that is no date is ignored",
                .get(.asked(.ok("Cache-Control: max-age=100", "Last-Modified: {-100}"))),
                .get(with: ["If-Modified-Since: lately"], .stored, .status(200))),
            Row(
                "RFC 9110 §13.2.2", "If-None-Match takes precedence over If-Modified-Since",
                .get(.asked(.ok("Cache-Control: max-age=100", #"ETag: "a""#, "Last-Modified: {-100}"))),
                .get(with: [#"If-None-Match: "b""#, "If-Modified-Since: {-100}"], .stored, .status(200)),
                .get(with: [#"If-None-Match: "a""#, "If-Modified-Since: {-200}"], .stored, .status(304))),
            Row(
                "RFC 9110 §13.1", "conditions count for HEAD",
                .get(.asked(.ok("Cache-Control: max-age=100", #"ETag: "a""#))),
                .head(with: [#"If-None-Match: "a""#], .stored, .status(304)),
                .head(with: [#"If-None-Match: "b""#], .stored, .status(200))),
            Row(
                "RFC 9110 §13.2.1", "conditions do not change an answer that would be no 200",
                .get(.asked(.status(404, "Cache-Control: max-age=100", #"ETag: "a""#))),
                .get(with: [#"If-None-Match: "a""#], .stored, .status(404))),
            Row(
                "RFC 9111 §4.3.2", "If-Match and If-Unmodified-Since are the origin's to judge",
                .get(.asked(.ok("Cache-Control: max-age=100", #"ETag: "a""#, "Last-Modified: {-100}"))),
                .get(with: [#"If-Match: "b""#], .asked(.status(412)), .sent(#"If-Match: "b""#)),
                .get(
                    with: ["If-Unmodified-Since: {-200}"], .asked(.status(412)),
                    .sent("If-Unmodified-Since: {-200}")),
                .get(after: 10, .stored, .status(200), .body("{token}, step 1"))),
            Row(
                "RFC 9111 §4.3.2", "without a stored response the conditions go to the origin, its 304 to the client",
                .get(
                    with: [#"If-None-Match: "a""#], .asked(.notModified(#"ETag: "a""#, "Cache-Control: max-age=100")),
                    .sent(#"If-None-Match: "a""#)),
                .get(.asked(.ok()))),
            Row(
                "RFC 9111 §4.3.2", "the same for If-Modified-Since",
                .get(
                    with: ["If-Modified-Since: {-10}"], .asked(.notModified("Cache-Control: max-age=100")),
                    .sent("If-Modified-Since: {-10}")),
                .get(.asked(.ok()))),
            Row(
                "RFC 9111 §4.3.3", "a full response to a client's condition is stored",
                .get(with: [#"If-None-Match: "a""#], .asked(.ok("Cache-Control: max-age=100", #"ETag: "b""#))),
                .get(after: 10, .stored)),
            Row(
                "RFC 9111 §4.3.2", "stale and confirmed, the stored response meets the client's condition",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a""#))),
                .get(
                    after: 10, with: [#"If-None-Match: "a""#],
                    .validated(.notModified(#"ETag: "a""#, "Cache-Control: max-age=100")), .status(304)),
                .get(after: 10, .stored, .status(200))),
            Row(
                "RFC 9111 §4.3.2", "304 for a tag that is not in the client's list is a 200 for the client",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a""#))),
                .get(
                    after: 10, with: [#"If-None-Match: "old""#], .validated(.notModified(#"ETag: "a""#)),
                    .status(200))),
            Row(
                "RFC 9110 §13.1.2", "conditions of unsafe methods are the origin's to judge",
                .get(.asked(.ok("Cache-Control: max-age=100", #"ETag: "a""#))),
                .send(
                    "PUT", with: [#"If-None-Match: "a""#], body: "x", .asked(.status(412)),
                    .sent(#"If-None-Match: "a""#))),
        ])
}
