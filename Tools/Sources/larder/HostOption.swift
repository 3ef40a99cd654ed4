import ArgumentParser

/// Names of hosts as options take them.
enum HostOption {
    /// A URL in the place of a host would match nothing, and nobody would be told.
    ///
    /// - Throws: `ValidationError` for what holds a scheme, a path or a user.
    static func check(_ name: String, _ option: String) throws {
        guard name.contains(where: { "/@?#".contains($0) }) || name.isEmpty else { return }
        throw ValidationError("\(option) takes the name of a host, such as shop.test, and no URL: '\(name)'.")
    }
}
