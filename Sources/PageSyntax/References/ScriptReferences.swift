/// The files that a script names for later, as bundlers write them: code and styles of a route, workers, pictures.
///
/// The script is searched and not understood: comments and strings count too, and no address that it puts together.
package struct ScriptReferences {
    /// The specifiers of `import("…")`, in order.
    package private(set) var imports: [String] = []
    /// The addresses of `new URL("…", import.meta.url)`, relative to the script's.
    package private(set) var files: [String] = []
    /// The addresses of `new Worker("…")`, relative to the page.
    package private(set) var workers: [String] = []
    /// The addresses of `importScripts("…")` in a worker, relative to it.
    package private(set) var scripts: [String] = []
    /// The style sheets without which Vite's import of a route's code fails, relative to the script's.
    package private(set) var styles: [String] = []
    private let text: [UInt8]
    private var index = 0

    /// - Parameter path: The path of the script's URL: Vite writes its lists from the base of the site.
    package init(_ text: [UInt8], at path: String) {
        self.text = text
        while let byte = byte {
            let start = index
            switch byte {
            case 0x57 where !isInName && takes("Worker") && takes("("),
                0x53 where !isInName && takes("SharedWorker") && takes("("):
                if let name = readString(), [0x29, 0x2C].contains(self.byte) { workers.append(name) }
            case 0x69 where !isInName && takes("importScripts") && takes("("):
                while let name = readString() {
                    scripts.append(name)
                    if !takes(",") { break }
                }
            case 0x69 where !isInName && takes("import") && takes("("):
                if let name = readString(), [0x29, 0x2C].contains(self.byte) { imports.append(name) }
            case 0x55 where !isInName && takes("URL") && takes("("):
                if let name = readString(), takes(","), takes("import.meta.url"), self.byte == 0x29 {
                    files.append(name)
                }
            case 0x66 where takes("f||(m.f=["): readList(path)
            default: break
            }
            index = max(index, start + 1)
        }
    }

    private var byte: UInt8? { index < text.count ? text[index] : nil }

    /// Whether what is read is a part of a longer name, or the property of something.
    private var isInName: Bool {
        guard index > 0 else { return false }
        let before = text[index - 1]
        return before == 0x2E || ModuleImports.isOfName(before)
    }

    /// Passes over words, and over white space and comments behind them; otherwise stays.
    private mutating func takes(_ words: StaticString) -> Bool {
        let (start, count) = (index, words.utf8CodeUnitCount)
        guard start + count <= text.count,
            words.withUTF8Buffer({ text[start..<start + count].elementsEqual($0) })
        else { return false }
        index = start + count
        skipSpace()
        return true
    }

    private mutating func skipSpace() {
        while let byte {
            if byte == 0x20 || (0x09...0x0D).contains(byte) {
                index += 1
            } else if byte == 0x2F, index + 1 < text.count, text[index + 1] == 0x2A {
                index += 2
                while index < text.count, !(text[index] == 0x2F && text[index - 1] == 0x2A) { index += 1 }
                index += 1
            } else {
                return
            }
        }
    }

    /// A string without escapes and expressions, and white space and comments behind it.
    private mutating func readString() -> String? {
        guard let quote = byte, [0x22, 0x27, 0x60].contains(quote),
            let end = text[(index + 1)...].prefix(1_024).firstIndex(of: quote)
        else { return nil }
        let content = text[(index + 1)..<end]
        guard !content.contains(0x5C), !content.contains(0x24) || quote != 0x60 else { return nil }
        index = end + 1
        skipSpace()
        return String(decoding: content, as: UTF8.self)
    }

    /// Vite's `m.f||(m.f=["assets/route-a1b2c3d4.js","assets/route-a1b2c3d4.css"])`: paths below the site's base, which
    /// is where the script's own folder is such a path, or relative to the script.
    private mutating func readList(_ path: String) {
        let folder = path.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        while let name = readString() {
            let parts = name.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            let isRelative = ["./", "../", "/", "http://", "https://"].contains(where: name.hasPrefix)
            if name.hasSuffix(".css") {
                if isRelative {
                    styles.append(name)
                } else if folder.suffix(parts.count).elementsEqual(parts) {
                    styles.append(folder.dropLast(parts.count).joined(separator: "/") + "/" + name)
                }
            }
            guard takes(",") else { return }
        }
    }
}
