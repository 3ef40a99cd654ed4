/// The last member of a `Cache-Status` field: that of the cache nearest to the client (RFC 9211 §2).
struct CacheStatusMember {
    /// Without the name of the cache; such as `hit` and `ttl=10`.
    var parameters: [String]

    init(_ message: Message) {
        let member = (message.value("Cache-Status") ?? "").split(separator: ",").last ?? ""
        parameters = member.split(separator: ";").dropFirst().map { part in
            part.split(separator: " ").joined()
        }
    }
}
