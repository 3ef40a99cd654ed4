import PageSyntax
import StrictJSON

/// The addresses that modules within a document import, by the import maps that stand before them (HTML, "resolve a
/// module specifier"). Scopes are not heeded.
struct ModuleSpecifiers {
    /// More names, and more specifiers of a module, are not read.
    private static let most = 1_000
    /// Addresses by name, or by the beginning of names where it ends in a slash.
    private var imports: [String: String] = [:]

    /// Adds an import map; the first address of a name counts. One that can't be read adds nothing.
    mutating func add(_ map: [UInt8]) {
        var reader = JSONReader(map, sizeLimit: PageReferences.importMapLimit)
        guard case .object(let members)? = (try? reader.read())?.value,
            case .object(let names)? = members.first(where: { $0.key == "imports" })?.node.value
        else { return }
        for name in names {
            guard case .string(let address) = name.node.value, imports[name.key] == nil, imports.count < Self.most
            else { continue }
            imports[name.key] = address
        }
    }

    /// Where a specifier leads, not resolved; `nil` for a name that no map has.
    func address(_ specifier: String) -> String? {
        if let address = imports[specifier] { return address }
        if ["/", "./", "../", "http://", "https://"].contains(where: specifier.hasPrefix) { return specifier }
        let beginnings = imports.keys.filter { $0.hasSuffix("/") && specifier.hasPrefix($0) }
        return beginnings.max { $0.utf8.count < $1.utf8.count }.flatMap { beginning in
            imports[beginning].map { $0 + specifier.dropFirst(beginning.count) }
        }
    }

    /// The addresses of the modules that a module's head imports.
    func addresses(in module: [UInt8]) -> [String] {
        ModuleImports(module).specifiers.prefix(Self.most).compactMap(address)
    }
}
