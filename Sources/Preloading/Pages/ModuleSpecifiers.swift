import Fetching
import PageSyntax
import StrictJSON

/// The addresses that modules import, by the import maps of their page (HTML §8.1.6.2 "resolve a module specifier").
package struct ModuleSpecifiers: Hashable, Sendable {
    /// More names, scopes, and specifiers of a module, are not read.
    private static let most = 1_000
    /// Absolute addresses by name, or by its beginning up to a slash; `nil` for a name that may not be imported.
    private var imports: [String: String?] = [:]
    /// The names for modules at an address, or below it where that ends in a slash.
    private var scopes: [String: [String: String?]] = [:]

    /// Adds an import map of a document; the first address of a name counts. One that can't be read adds nothing.
    mutating func add(_ map: [UInt8], base: String) {
        var reader = JSONReader(map, sizeLimit: PageReferences.scriptLimit)
        guard case .object(let members)? = (try? reader.read())?.value else { return }
        for member in members {
            if member.key == "imports" { Self.add(member.node.value, to: &imports, base) }
            guard member.key == "scopes", case .object(let parts) = member.node.value else { continue }
            for part in parts.prefix(Self.most) {
                guard let prefix = Self.url(part.key, base) else { continue }
                Self.add(part.node.value, to: &scopes[prefix, default: [:]], base)
            }
        }
    }

    private static func add(_ value: JSONValue, to names: inout [String: String?], _ base: String) {
        guard case .object(let entries) = value else { return }
        for entry in entries where names.count < most {
            let name = url(entry.key, base) ?? entry.key
            guard names[name] == nil else { continue }
            let address: String? = if case .string(let text) = entry.node.value { url(text, base) } else { nil }
            names[name] = .some(address)
        }
    }

    /// Where a specifier leads in the module at a URL; `nil` for a name that no map has.
    func address(_ specifier: String, in module: String) -> String? {
        let url = Self.url(specifier, module)
        let narrow = scopes.keys.filter { $0 == module || $0.hasSuffix("/") && module.hasPrefix($0) }.sorted(by: >)
        for names in narrow.compactMap({ scopes[$0] }) + [imports] {
            if let found = Self.find(url ?? specifier, in: names) { return found }
        }
        return url
    }

    private static func find(_ name: String, in names: [String: String?]) -> String?? {
        if let address = names[name] { return .some(address) }
        let beginnings = names.keys.filter { $0.hasSuffix("/") && name.hasPrefix($0) }
        guard let beginning = beginnings.max(by: { $0.utf8.count < $1.utf8.count }), let address = names[beginning]
        else { return nil }
        return .some(address.flatMap { url("./" + name.dropFirst(beginning.count), $0) })
    }

    /// The absolute form of a specifier that is written as a URL; `nil` for a bare name.
    private static func url(_ text: String, _ base: String) -> String? {
        guard ["/", "./", "../", "http://", "https://"].contains(where: text.hasPrefix),
            case .web(let target) = URLReference.resolve(text, against: base)
        else { return nil }
        return target.url
    }

    /// The addresses of the modules that a module's head imports.
    func addresses(in module: [UInt8], at url: String) -> [String] {
        ModuleImports(module).specifiers.prefix(Self.most).compactMap { address($0, in: url) }
    }
}
