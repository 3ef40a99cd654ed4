/// The addresses under which hosts answer with one document.
enum DocumentAddress {
    private static let endings = [".html", ".htm"]

    /// Those besides its own: `about` of `about.html`; `docs` and `docs/index.html` of `docs/`.
    ///
    /// - Parameter path: As in a list.
    static func others(_ path: String) -> [String] {
        if path.isEmpty { return ["index.html"] }
        if path.hasSuffix("/") { return [String(path.dropLast()), path + "index.html"] }
        guard let ending = endings.first(where: path.hasSuffix) else { return [] }
        let stem = String(path.dropLast(ending.count))
        return stem.isEmpty || stem.hasSuffix("/") ? [] : [stem]
    }
}
