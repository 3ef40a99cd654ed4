/// Stage two of the build: names every chunk after its final bytes, and rewrites the references to it.
///
/// A chunk's bytes hold the names of what it refers to, so those come first (bottom-up). Hence a change moves exactly
/// the chunk itself and all that lead to it, and nothing else.
struct HashedNames {
    /// Digits of the hash in a name.
    static let digits = 8

    /// Built chunks by source name.
    let chunks: [String: BuiltChunk]
    private let hosts: DemoHosts

    /// Builds all sources.
    ///
    /// - Throws: `unknownReference` or `cyclicReference`.
    init(_ sources: [ChunkSource], hosts: DemoHosts) throws(DemoSiteError) {
        self.hosts = hosts
        var built: [String: BuiltChunk] = [:]
        for chunk in try Self.dependenciesFirst(sources.map(CompiledChunk.init)) {
            let source = chunk.source
            let host = source.isOnShop ? hosts.shop : hosts.cdn
            let bytes = try Self.resolve(chunk, host: host, folder: source.folder, built, hosts)
            let hash = HexDigest.sha256(bytes).prefix(Self.digits)
            let path = "\(source.folder)\(source.stem).\(hash).\(source.suffix)"
            built[source.name] = BuiltChunk(source: source, host: host, path: path, bytes: bytes)
        }
        chunks = built
    }

    /// A page of the shop with its references resolved.
    ///
    /// - Throws: `unknownReference`.
    func resolve(page: String) throws(DemoSiteError) -> [UInt8] {
        let chunk = CompiledChunk(ChunkSource("page.html", text: page))
        return try Self.resolve(chunk, host: hosts.shop, folder: nil, chunks, hosts)
    }

    private static func resolve(
        _ chunk: CompiledChunk, host: String, folder: String?, _ built: [String: BuiltChunk], _ hosts: DemoHosts
    ) throws(DemoSiteError) -> [UInt8] {
        var bytes: [UInt8] = []
        for piece in chunk.pieces {
            switch piece {
            case .literal(let run): bytes += run
            case .reference(let name):
                guard let target = built[name] else {
                    throw DemoSiteError(
                        .unknownReference, "\(chunk.source.name) refers to ~/\(name), which is not a source.")
                }
                bytes += reference(to: target, host: host, folder: folder, hosts).utf8
            }
        }
        return bytes
    }

    /// As bundlers write them: relative within a host, absolute across hosts, path-absolute in a page.
    private static func reference(
        to target: BuiltChunk, host: String, folder: String?, _ hosts: DemoHosts
    ) -> String {
        let isImport = folder != nil && target.source.suffix == "js"
        guard target.host == host, !hosts.namesOrigin || isImport else {
            return hosts.origin(of: target.host) + target.path
        }
        guard let folder else { return target.path }
        let file = target.path.dropFirst(target.source.folder.count)
        if folder == target.source.folder { return "./\(file)" }
        return "../\(target.source.folder.dropFirst("/assets/".count))\(file)"
    }

    /// A topological order by depth-first search, so that what a chunk refers to precedes it.
    private static func dependenciesFirst(_ chunks: [CompiledChunk]) throws(DemoSiteError) -> [CompiledChunk] {
        let byName = Dictionary(chunks.map { ($0.source.name, $0) }, uniquingKeysWith: { first, _ in first })
        var order: [CompiledChunk] = []
        var done: Set<String> = []
        func visit(_ chunk: CompiledChunk, above: [String]) throws(DemoSiteError) {
            let name = chunk.source.name
            if done.contains(name) { return }
            guard !above.contains(name) else {
                let circle = (above + [name]).joined(separator: " → ")
                throw DemoSiteError(
                    .cyclicReference, "The chunks refer in a circle: \(circle). Move the shared part out.")
            }
            for reference in chunk.references {
                if let next = byName[reference] { try visit(next, above: above + [name]) }
            }
            done.insert(name)
            order.append(chunk)
        }
        for chunk in chunks { try visit(chunk, above: []) }
        return order
    }
}
