import Fetching
import HTTPCacheSemantics
import Manifests
import PageSyntax

/// A file below the base that a page or style sheet names, and that the build folder does not have: a name that is
/// written wrong, or what the server makes.
package struct MissingFile: Hashable, Sendable, Encodable {
    /// The file of the build folder that names it.
    package var namedBy: String
    package var url: String
}

extension ListBuilder {
    /// The most that are named.
    private static let mostMissing = 1_000

    /// The files that pages and style sheets of the folder name and that are not listed; what scripts ask for is not
    /// known.
    package func missingFiles(_ list: ReleaseList, base: String) -> [MissingFile] {
        let listed = Set(list.files.flatMap { [$0.url(base: base)] + $0.otherURLs(base: base) }.map(Self.plain))
        let leftOut = Set(folder.leftOut.values.joined().map { Self.plain(base + urlPath($0)) })
        var (missing, seen) = ([MissingFile](), Set<String>())
        for file in folder.files {
            let use = FileKind(file.path, scripts: .script).use
            guard use == .style || use == .document && listsDocuments, let bytes = folder.bytes(file.path) else {
                continue
            }
            for url in Self.references(in: bytes, isSheet: use == .style, at: base + urlPath(file.path)) {
                let plain = Self.plain(url)
                guard plain.hasPrefix(Self.plain(base)), !listed.contains(plain), !leftOut.contains(plain),
                    seen.insert(plain).inserted
                else { continue }
                guard missing.count < Self.mostMissing else { return missing }
                missing.append(MissingFile(namedBy: file.path, url: url))
            }
        }
        return missing
    }

    /// One spelling of an address, without its query.
    private static func plain(_ url: String) -> String {
        String(decoding: PercentEncoding.decoded(url.utf8.prefix { $0 != 0x3F && $0 != 0x23 }), as: UTF8.self)
    }

    private static func references(in bytes: [UInt8], isSheet: Bool, at url: String) -> [String] {
        var (found, base, hasBase) = ([String](), url, false)
        func add(_ address: String) {
            if case .web(let target) = URLReference.resolve(address, against: base) { found.append(target.url) }
        }
        func meet(_ reference: PageReference) {
            guard !reference.isInert else { return }
            switch reference.kind {
            case .base where !hasBase:
                hasBase = true
                if case .web(let target) = URLReference.resolve(reference.url, against: url) { base = target.url }
            case .icon, .prefetch, .base, .inlineDocument, .securityPolicy, .refresh, .integrity, .importMap,
                .inlineScript, .noscript:
                break
            case .inlineModule:
                // Others are names of an import map.
                for name in ModuleImports(Array(reference.url.utf8)).specifiers
                where name.hasPrefix("/") || name.hasPrefix(".") {
                    add(name)
                }
            default: add(reference.url)
            }
        }
        if isSheet {
            CSSReferences.read(bytes, meet)
        } else {
            PageReferences.read(bytes, readsScripts: true) { reference, _ in meet(reference) }
        }
        return found
    }
}
