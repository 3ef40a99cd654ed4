import Fetching
import HTTPCacheSemantics
import PageSyntax
import Preloading
import ResponseStore
import WebVisit

extension StoreKeeper {
    /// Adds the place where WebKit names none: the `import` of a name that another module lacks, as after a deploy of
    /// one of the two (ECMAScript §16.2.1.7.3.1, a SyntaxError).
    ///
    /// - Parameter urls: The addresses that the page asked for; at most 500 are read.
    package func withPlaces(_ messages: [ConsoleMessage], of urls: [String]) async throws -> [ConsoleMessage] {
        let unknown = /inding name '([^']+)' (?:is not found|cannot be resolved by star)/
        let names = messages.map { message in
            message.location == nil ? message.text.firstMatch(of: unknown).map { String($0.output.1) } : nil
        }
        guard names.contains(where: { $0 != nil }) else { return messages }
        let modules = try await storedModules(among: urls)
        var placed = messages
        for (index, name) in names.enumerated() {
            guard let name, let found = Self.importing(name, modules) else { continue }
            placed[index].location = found.place
            placed[index].text += " \(found.source) does not export it: are the two of one release?"
        }
        return placed
    }

    private func storedModules(among urls: [String]) async throws -> [String: StoredModule] {
        var modules: [String: StoredModule] = [:]
        for url in Set(urls).sorted().prefix(500) {
            guard let entry = try await entries(url).first, entry.response.extent == .complete,
                MediaTypeKind(entry.response.fields.mediaType ?? "") == .javaScript,
                let text = try await store.open(entry).decoded(by: entry.response.fields, upTo: StoredModule.longest)
            else { continue }
            modules[url] = StoredModule(text)
        }
        return modules
    }

    /// The first import of a name from a module that surely has no such export.
    private static func importing(
        _ name: String, _ modules: [String: StoredModule]
    ) -> (place: String, source: String)? {
        for (url, module) in modules.sorted(by: { $0.key < $1.key }) {
            for imported in module.imports[name] ?? [] {
                guard case .web(let target) = URLReference.resolve(imported.specifier, against: url),
                    let exports = modules[target.url]?.exports, !exports.contains(name)
                else { continue }
                return ("\(url):\(module.line(at: imported.offset))", imported.specifier)
            }
        }
        return nil
    }
}

/// The names that a stored module takes from others, and gives to them.
private struct StoredModule {
    static let longest = 4 << 20

    private let bytes: [UInt8]
    /// The imports of each name.
    let imports: [String: [(name: String, specifier: String, offset: Int)]]
    /// `nil` where not all can be told, as it passes on what another exports.
    let exports: Set<String>?

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        imports = Dictionary(grouping: ModuleImports(bytes).names, by: \.name)
        var names: Set<String> = []
        let text = String(decoding: bytes, as: UTF8.self)
        for match in text.matches(of: /\bexport\s*(\*|\{[^}]*\}|[^;{}=(\[]*)/) {
            let clause = match.output.1
            let words = { (text: Substring) in text.split { !Self.isOfName($0) }.map(String.init) }
            if clause.first == "{" {
                names.formUnion(clause.split(separator: ",").compactMap { words($0).last })
            } else if let last = words(clause).last, !["const", "let", "var"].contains(last) {
                names.formUnion(words(clause))
            } else {
                exports = nil
                return
            }
        }
        // Those of `export let a = 1, b = 2` behind the first, and others.
        exports = names.union(text.matches(of: /,\s*([\w$]+)\s*=/).map { String($0.output.1) })
    }

    /// The line of an offset, from 1.
    func line(at offset: Int) -> Int { 1 + bytes[..<offset].count { $0 == 0x0A } }

    private static func isOfName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "$" || character == "_"
    }
}
