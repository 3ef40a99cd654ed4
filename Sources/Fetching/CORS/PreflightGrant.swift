import HTTPCacheSemantics
import HTTPTypes

/// What a server's answer to a preflight allows, and for how long.
struct PreflightGrant: Hashable, Sendable {
    /// As spelled: methods are case-sensitive.
    var methods: Set<String>
    /// In lower case.
    var fieldNames: Set<String>
    /// `nil` if the field is absent or no number.
    var maximumAge: Duration?

    /// - Returns: `nil` if a list is malformed: "If either methods or headerNames is failure, return a network error."
    init?(_ fields: HTTPFields) {
        guard let methods = FetchText.tokens(.accessControlAllowMethods, in: fields),
            let names = FetchText.tokens(.accessControlAllowHeaders, in: fields)
        else { return nil }
        self.methods = Set(methods)
        fieldNames = Set(names.map { FetchText.lowercased($0) })
        // Fetch §4.8 takes a negative number for none at all, which would be 5 s; engines take it for 0, and tests expect that.
        maximumAge = FetchText.value(.accessControlMaxAge, in: fields).flatMap {
            $0.hasPrefix("-") ? DeltaSeconds.parse(String($0.dropFirst())).map { _ in .zero } : DeltaSeconds.parse($0)
        }
    }

    /// How many names this holds.
    var count: Int { methods.count + fieldNames.count }
}
