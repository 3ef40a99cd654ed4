import Manifests

/// `.vite/manifest.json` (Vite 5 and newer) or `manifest.json` (before that): `imports` are static and are keys,
/// `dynamicImports` are loaded later, `css` are files.
enum ViteManifest {
    static func read(_ folder: BuildFolder, _ names: [String]) throws(ManifestToolError) -> BuildOutput? {
        for path in [".vite/manifest.json", "manifest.json"] {
            guard let json = JSONFile(folder, path), isManifest(json), isOf(folder, json) else { continue }
            return try output(json, path, folder, names)
        }
        return nil
    }

    /// A web app's manifest has the same name and another shape.
    static func isManifest(_ json: JSONFile) -> Bool {
        let members = json.members
        return !members.isEmpty && members.allSatisfy { $0.value["file"]?.text != nil }
    }

    /// Whether any of its files is there; else it is that of another build.
    private static func isOf(_ folder: BuildFolder, _ json: JSONFile) -> Bool {
        let isThere = Set(folder.files.map(\.path))
        return json.members.contains { $0.value["file"]?.text.map(isThere.contains) == true }
    }

    private static func output(
        _ json: JSONFile, _ path: String, _ folder: BuildFolder, _ names: [String]
    ) throws(ManifestToolError) -> BuildOutput {
        let isThere = Set(folder.files.map(\.path))
        var output = BuildOutput(name: "Vite's \(path)", scripts: .module, ownFiles: [path])
        let chunks = Dictionary(uniqueKeysWithValues: json.members.map { ($0.key, $0.value) })
        output.entries = json.members.filter { $0.value["isEntry"]?.isTrue == true }.map(\.key)
        let chosen = try BuildOutput.chosen(names, of: output.entries, path)
        for entry in chosen { add(entry, to: .boot) }

        /// The chunk, its static imports depth first as Vite orders them, and their styles.
        func add(_ key: String, to group: FileGroup) {
            var (waiting, seen) = ([key], Set<String>())
            while let key = waiting.popLast() {
                guard seen.insert(key).inserted, let chunk = chunks[key] else { continue }
                for file in (chunk["css"]?.texts ?? []) + [chunk["file"]?.text].compactMap({ $0 })
                where isThere.contains(file) {
                    output.add(file, to: group)
                }
                waiting += (chunk["imports"]?.texts ?? []).reversed()
            }
        }
        return output
    }
}
