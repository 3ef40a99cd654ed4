import Fetching
import HTTPTypes

/// `WWW-Authenticate`, RFC 9110 §11.6.1: the lines of the field.
enum ChallengesTarget: FuzzTarget {
    static let name = "challenges"
    static let shapes =
        HostileShape.list() + HostileShape.list(after: "Basic ")
        + [
            HostileShape("a b,"), HostileShape("a=b,", after: "Basic "), HostileShape("Basic realm=\"a\"\n"),
            HostileShape("a ", after: "Basic "), HostileShape("=", after: "Basic a"),
            HostileShape("\\a", after: "Basic a=\""),
        ]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let fields = HTTPFields(input.lines.map { HTTPField(name: .wwwAuthenticate, value: $0) })
        let found = AuthenticationChallenge.read(fields)
        try claim(found.count <= AuthenticationChallenge.greatestCount, "no more than so many", [found.count])
        let printed = found.map(text)
        if printed.allSatisfy({ $0.utf8.count <= AuthenticationChallenge.greatestLength }) {
            let again = HTTPFields(printed.map { HTTPField(name: .wwwAuthenticate, value: $0) })
            try claim(AuthenticationChallenge.read(again) == found, "what is printed is read again", [found, printed])
        }
        let broken = AuthenticationChallenge.read(fields.adding(.wwwAuthenticate, "Basic realm=\"a"))
        try claim(broken == found, "a line that breaks the grammar hides no other", [fields])
        guard found.count < AuthenticationChallenge.greatestCount else { return }
        let more = AuthenticationChallenge.read(fields.adding(.wwwAuthenticate, "Basic realm=\"a\""))
        let added = AuthenticationChallenge.read([.wwwAuthenticate: "Basic realm=\"a\""])
        try claim(more == found + added, "one challenge more", [fields])
    }

    private static func text(_ challenge: AuthenticationChallenge) -> String {
        switch challenge.content {
        case .none: return challenge.scheme
        case .token68(let text): return "\(challenge.scheme) \(text)"
        case .parameters(let parameters):
            return "\(challenge.scheme) " + parameters.map { "\($0.key)=\($0.value.quoted)" }.joined(separator: ", ")
        }
    }
}
