import Foundation
import Manifests
import PageSyntax

/// Names of files in the text of a folder's pages, styles and scripts: which are used, and with which queries.
///
/// Addresses are made in many ways, by scripts above all, so any mention of a name counts. What a script joins from
/// parts is not seen.
struct PageTexts {
    /// The last parts of paths that stand in a text.
    private(set) var mentioned: Set<String> = []
    /// Parameters of queries behind names of files, in order: `v` of `main.js?v=3`, and `3f2a` of `main.js?3f2a`; `*`
    /// for a query that a script makes, as in `'main.js?' + version`.
    private(set) var parameters: [String] = []
    /// Files that are asked for with a query.
    private(set) var withQuery: Set<String> = []
    /// The uses of files, by the last part of their paths, that stand behind `import`, `import(`, `from`, `new Worker(`
    /// or `new SharedWorker(`, or that a page names as modules: web views take these under a JavaScript type alone.
    private(set) var uses: [String: ListedFile.Use] = [:]

    private static let read: Set<String> = ["html", "htm", "js", "mjs", "css", "svg", "webmanifest"]
    /// Names of parameters are shorter in a list.
    private static let longestParameter = 128
    private static let longestSpecifier = 1_024

    private let names: Set<String>

    init(_ folder: BuildFolder) {
        names = Set(folder.files.map { ($0.path as NSString).lastPathComponent })
        for file in folder.files where Self.read.contains((file.path as NSString).pathExtension.lowercased()) {
            guard let bytes = folder.bytes(file.path) else { continue }
            bytes.withUnsafeBufferPointer { read($0) }
            if FileKind(file.path, scripts: .script).use == .document { readModules(bytes) }
        }
    }

    /// `<script type=module>` and `modulepreload`.
    private mutating func readModules(_ page: [UInt8]) {
        var found: [String] = []
        PageReferences.read(page) { reference, _ in
            if reference.kind == .moduleScript || reference.kind == .modulePreload { found.append(reference.url) }
        }
        for url in found { note(url.utf8, as: .module) }
    }

    /// Notes the use of the file of this folder that an address names.
    private mutating func note(_ address: some Collection<UInt8>, as use: ListedFile.Use) {
        guard let last = address.prefix(while: { $0 != 0x3F && $0 != 0x23 }).split(separator: 0x2F).last else { return }
        let name = URLPath.decoded(String(decoding: last, as: UTF8.self))
        if names.contains(name) { uses[name] = use }
    }

    /// Whether a text may name the file. One that is not all letters may be spelled in many ways.
    func mayName(_ path: String) -> Bool {
        let name = (path as NSString).lastPathComponent
        return mentioned.contains(name) || !name.utf8.allSatisfy(Self.isOfName)
    }

    private mutating func read(_ text: UnsafeBufferPointer<UInt8>) {
        var index = 0
        while index < text.count {
            guard Self.isOfName(text[index]) else {
                index += 1
                continue
            }
            let start = index
            while index < text.count, Self.isOfName(text[index]) { index += 1 }
            let name = String(decoding: text[start..<index], as: UTF8.self)
            if let use = Self.uses[name] { readSpecifier(text[index...], use) }
            guard text[start..<index].contains(0x2E) else { continue }
            guard let known = [name, URLPath.decoded(name)].first(where: names.contains) else { continue }
            mentioned.insert(known)
            guard index < text.count, text[index] == 0x3F else { continue }
            let end = text[index...].dropFirst().firstIndex { !Self.isOfQuery($0) } ?? text.count
            readQuery(text[(index + 1)..<end], of: known)
            if end == index + 1, end < text.count, Self.endsText.contains(text[end]) { add("*", known) }
            index = end
        }
    }

    private static let uses: [String: ListedFile.Use] = [
        "import": .module, "from": .module, "Worker": .worker, "SharedWorker": .worker,
    ]

    private mutating func readSpecifier(_ text: Slice<UnsafeBufferPointer<UInt8>>, _ use: ListedFile.Use) {
        var text = text.drop(while: Self.isBeforeSpecifier)
        if text.starts(with: "new URL(".utf8) { text = text.dropFirst(8).drop(while: Self.isBeforeSpecifier) }
        guard let quote = text.first, [0x22, 0x27, 0x60].contains(quote) else { return }
        note(text.dropFirst().prefix(Self.longestSpecifier).prefix { $0 != quote }, as: use)
    }

    /// Space, and an opening parenthesis.
    private static func isBeforeSpecifier(_ octet: UInt8) -> Bool {
        octet == 0x09 || octet == 0x0A || octet == 0x0D || octet == 0x20 || octet == 0x28
    }

    /// Quotes, and `${` of a template.
    private static let endsText = Array("\"'`$".utf8)

    private mutating func add(_ parameter: String, _ name: String) {
        withQuery.insert(name)
        if !parameters.contains(parameter) { parameters.append(parameter) }
    }

    private mutating func readQuery(_ query: Slice<UnsafeBufferPointer<UInt8>>, of name: String) {
        for item in query.split(separator: 0x26) {
            var text = String(decoding: item.prefix { $0 != 0x3D }, as: UTF8.self)
            // As HTML has it.
            if text.hasPrefix("amp;") { text.removeFirst(4) }
            let parameter = URLPath.decoded(text)
            if !parameter.isEmpty, parameter.utf8.count <= Self.longestParameter { add(parameter, name) }
        }
    }

    private static func isOfName(_ octet: UInt8) -> Bool {
        (0x30...0x39).contains(octet) || (0x41...0x5A).contains(octet) || (0x61...0x7A).contains(octet)
            || octet == 0x2D || octet == 0x2E || octet == 0x5F || octet == 0x7E || octet == 0x25 || octet == 0x40
            || octet == 0x2B
    }

    /// The bytes that may stand in a query, but for what ends or makes up an address in scripts.
    private static func isOfQuery(_ octet: UInt8) -> Bool {
        isOfName(octet) || octet == 0x26 || octet == 0x3B || octet == 0x3D || octet == 0x2F || octet == 0x2C
    }
}
