import HTTPCacheSemantics
import HTTPTypes

/// Nominated fields, RFC 9111 §4.1: a message whose start line is a `Vary`, then a message to compare with.
enum NominatedFieldsTarget: FuzzTarget {
    static let name = "nominated-fields"
    static let shapes =
        HostileShape.list(after: "Accept\nAccept: ")
        + [
            HostileShape("Cookie: a\n", after: "Cookie\n"), HostileShape("Accept,"),
            HostileShape("Accept: a,b\n", after: "Accept\n"), HostileShape("\n"),
        ]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let messages = input.messages(2)
        let (message, other) = (messages[0], messages[1].fields)
        let request = message.fields
        let vary = Vary([.vary: message.start])
        let nominated = NominatedFields(request, vary: vary)
        guard case .fields(let names) = vary else {
            try claim(nominated.values.isEmpty && nominated.match(other), "nothing nominated, nothing compared")
            return
        }
        try claim(Set(nominated.values.keys) == Set(names.map(\.canonicalName)), "the nominated names", [nominated])
        let isLost = nominated.values.values.contains { $0?.hasLostOctets ?? false }
        try claim(nominated.match(request) == !isLost, "a request matches itself", [nominated])
        let reverse = NominatedFields(other, vary: vary)
        try claim(nominated.match(other) == reverse.match(request), "symmetric", [nominated, reverse])
        if nominated.match(other) {
            let isSame = nominated.values.allSatisfy { name, value in
                (value ?? "").isSame(as: (reverse.values[name] ?? "") ?? "")
            }
            try claim(isSame, "what matches has the same values", [nominated, reverse])
        }
        let first = names[0]
        try claim(!nominated.match(request.adding(first, "zz")), "one value more is another request", [nominated])
        if request.contains(first) {
            var without = request
            without[first] = nil
            try claim(!nominated.match(without), "absent matches only absent", [nominated])
        }
        var reordered = HTTPFields(request.filter { $0.name != first })
        reordered.append(contentsOf: request[fields: first])
        try claim(nominated.match(reordered) == !isLost, "the order of fields says nothing", [nominated])
    }
}
