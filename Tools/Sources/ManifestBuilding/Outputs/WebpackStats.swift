import Manifests

/// webpack's and Rspack's `stats.json`: `entrypoints.*.assets` in the order in which they are loaded.
enum WebpackStats {
    static func read(
        _ json: JSONFile, _ folder: BuildFolder, _ names: [String], name: String
    ) throws(ManifestToolError) -> BuildOutput? {
        guard let entries = json["entrypoints"]?.members, !entries.isEmpty else { return nil }
        var output = BuildOutput(name: "webpack's \(name)", scripts: .script, ownFiles: ["stats.json"])
        let files = PublishedNames(folder)
        output.entries = entries.map(\.key)
        let chosen = try BuildOutput.chosen(names, of: output.entries, name)
        for entry in entries where chosen.contains(entry.key) {
            // Newer versions have objects where older ones had names.
            for asset in entry.value["assets"]?.elements ?? [] {
                if let name = asset.text ?? asset["name"]?.text, let path = files.path(name) {
                    output.add(path, to: .boot)
                }
            }
        }
        return output
    }
}

/// `asset-manifest.json` of Create React App and of webpack's manifest plug-ins: `entrypoints` in order.
enum AssetManifest {
    private static let file = "asset-manifest.json"

    static func read(_ folder: BuildFolder, _ names: [String]) throws(ManifestToolError) -> BuildOutput? {
        guard let json = JSONFile(folder, file), let entries = json["entrypoints"] else { return nil }
        var output = BuildOutput(name: "webpack's \(file)", scripts: .script, ownFiles: [file])
        let files = PublishedNames(folder)
        // A list of files for one entry, or an object of entries.
        let lists: [(key: String, value: [String])] =
            entries.texts.isEmpty
            ? entries.members.map { ($0.key, ($0.value["imports"] ?? $0.value["assets"] ?? $0.value).texts) }
            : [("main", entries.texts)]
        guard !lists.allSatisfy(\.value.isEmpty) else { return nil }
        output.entries = lists.map(\.key)
        let chosen = try BuildOutput.chosen(names, of: output.entries, file)
        for list in lists where chosen.contains(list.key) {
            for path in list.value.compactMap({ files.path($0) }) { output.add(path, to: .boot) }
        }
        return output
    }
}

/// Names of files as webpack writes them, which may have a public path before them and a query behind.
struct PublishedNames {
    private let paths: Set<String>

    init(_ folder: BuildFolder) { paths = Set(folder.files.map(\.path)) }

    /// - Returns: The longest end of the name that is a file of the folder.
    func path(_ name: String) -> String? {
        var rest = name.prefix { $0 != "?" && $0 != "#" }
        while true {
            if paths.contains(String(rest)) { return String(rest) }
            let decoded = URLPath.decoded(String(rest))
            if paths.contains(decoded) { return decoded }
            guard let slash = rest.firstIndex(of: "/") else { return nil }
            rest = rest[rest.index(after: slash)...]
        }
    }
}
