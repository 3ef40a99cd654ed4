import Fetching
import HTTPCacheSemantics
import PageSyntax
import Preloading
import ResponseStore
import WebVisit

extension StoreKeeper {
    private static let longestModule = 8 << 20

    /// Adds the place where WebKit names none: the `import` of a name that another module lacks, as after a deploy of one
    /// of the two (ECMAScript §16.2.1.7.3.1, a SyntaxError).
    ///
    /// - Parameter urls: The addresses that the page asked for; at most 500 are read.
    package func withPlaces(_ messages: [ConsoleMessage], of urls: [String]) async throws -> [ConsoleMessage] {
        var modules: [String: [UInt8]]?
        var placed = messages
        for (index, message) in messages.enumerated() where message.location == nil {
            guard
                let name = message.text.firstMatch(
                    of: /inding name '([^']+)' (?:is not found|cannot be resolved by star)/)?.output.1
            else {
                continue
            }
            let texts: [String: [UInt8]]
            if let modules { texts = modules } else { texts = try await scripts(among: urls) }
            modules = texts
            guard let (place, source) = Self.place(of: String(name), in: texts) else { continue }
            placed[index].location = place
            placed[index].text += " \(source) does not export it: are the two of one release?"
        }
        return placed
    }

    private func scripts(among urls: [String]) async throws -> [String: [UInt8]] {
        var texts: [String: [UInt8]] = [:]
        for url in Set(urls).sorted().prefix(500) {
            guard let entry = try await entries(url).first, entry.response.extent == .complete,
                MediaTypeKind(FetchText.mediaType(in: entry.response.fields) ?? "") == .javaScript
            else { continue }
            texts[url] = try await store.open(entry).decoded(by: entry.response.fields, upTo: Self.longestModule)
        }
        return texts
    }

    /// The first import of a name from a module that surely has no such export.
    private static func place(of name: String, in modules: [String: [UInt8]]) -> (place: String, source: String)? {
        for (url, text) in modules.sorted(by: { $0.key < $1.key }) {
            for imported in ModuleImports(text).names where imported.name == name {
                guard case .web(let target) = URLReference.resolve(imported.specifier, against: url),
                    let source = modules[target.url], !mayExport(name, source)
                else { continue }
                return ("\(url):\(imported.line)", imported.specifier)
            }
        }
        return nil
    }

    /// Whether a module exports a name, or passes on what another exports. In doubt it does.
    private static func mayExport(_ name: String, _ module: [UInt8]) -> Bool {
        let text = String(decoding: module, as: UTF8.self)
        return text.matches(of: /\bexport\s*(\*|\{[^}]*\}|[^;{}=(\[]*)/).contains { match in
            let clause = match.output.1
            guard let first = clause.first, first != "*" else { return true }
            guard first == "{" else {
                let words = clause.split { !isOfName($0) }
                return words.isEmpty || ["const", "let", "var"].contains(words.last) || words.contains { $0 == name }
            }
            return clause.split(separator: ",").contains { $0.split { !isOfName($0) }.last.map(String.init) == name }
        }
    }

    private static func isOfName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "$" || character == "_"
    }
}
