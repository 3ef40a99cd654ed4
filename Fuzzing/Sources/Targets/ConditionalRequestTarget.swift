import HTTPCacheSemantics
import HTTPTypes

/// Conditions, RFC 9111 §4.3.1 and §4.3.2: the presented request, then the stored response.
enum ConditionalRequestTarget: FuzzTarget {
    static let name = "conditional-request"
    static let shapes =
        HostileShape.list(after: "GET\nIf-None-Match: ")
        + [
            HostileShape("If-None-Match: \"a\"\n", after: "GET\n"),
            HostileShape("a", after: "GET\n\n200 0 0\nLast-Modified: "),
            HostileShape("\"", after: "GET\n\n200 0 0\nETag: "),
        ]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let messages = input.messages(2)
        let (presented, response) = (messages[0].fields, messages[1].storedResponse)
        let isSatisfied = ConditionalRequest.isSatisfied(by: response, presented: presented)
        if isSatisfied {
            try claim(ConditionalRequest.isConditional(presented), "what holds was a condition", [presented])
        }
        if ConditionalRequest.mustForward(presented) {
            try claim(ConditionalRequest.isConditional(presented), "a condition of the origin's is one", [presented])
        }
        let anything = presented.adding(.ifNoneMatch, "*")
        try claim(ConditionalRequest.isSatisfied(by: response, presented: anything), "* matches any", [anything])
        if presented.contains(.ifNoneMatch) {
            var without = presented
            without[.ifModifiedSince] = nil
            try claim(
                ConditionalRequest.isSatisfied(by: response, presented: without) == isSatisfied,
                "If-Modified-Since is ignored beside If-None-Match (§13.1.3)", [presented])
        }
        let own = ConditionalRequest.validators(of: response)
        // One that is no date is "ignored" (RFC 9110 §13.1.3), and goes back all the same.
        let date = own[.ifModifiedSince].map { HTTPDate.parse($0, now: response.responseTime) }
        if own.contains(.ifNoneMatch) || date.map({ $0 != nil }) ?? false {
            try claim(
                ConditionalRequest.isSatisfied(by: response, presented: own), "a response has its own validators",
                [own])
        }
        let left = ConditionalRequest.notModifiedFields(response.fields)
        try claim(
            !left.contains(.contentLength) && !left.contains(.contentType), "no content, nothing about it", [left])
    }
}
