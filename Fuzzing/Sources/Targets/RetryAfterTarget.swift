import HTTPCacheSemantics
import HTTPTypes
import Preloading

/// `Retry-After`, RFC 9110 §10.2.3: a line with the current time in seconds, then fields.
enum RetryAfterTarget: FuzzTarget {
    static let name = "retry-after"
    static let shapes = [
        HostileShape("9", after: "0\nRetry-After:"), HostileShape(" ", after: "0\nRetry-After:"),
        HostileShape("Retry-After: 1\n", after: "0\n"), HostileShape("Sun, ", after: "0\nRetry-After: "),
    ]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let message = input.messages(1)[0]
        let now = WallInstant(unixSeconds: message.number(0))
        let delay = RetryAfter.delay(message.fields, now: now)
        guard let delay else { return }
        try claim(delay >= .zero && delay <= RetryAfter.longest, "from zero to a day", [delay])
        let values = message.fields[values: .retryAfter]
        try claim(values.count == 1, "one line", [values])
        let text = values[0].drop { $0 == " " || $0 == "\t" }
        if let seconds = Int64(text), seconds >= 0 {
            try claim(delay == min(.seconds(min(seconds, 86_400)), RetryAfter.longest), "the number", [text, delay])
        } else if !text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            let date = HTTPDate.parse(String(text), now: now)
            try claim(date.map { max(.zero, min($0 - now, RetryAfter.longest)) } == delay, "the date", [text, delay])
        }
    }
}
