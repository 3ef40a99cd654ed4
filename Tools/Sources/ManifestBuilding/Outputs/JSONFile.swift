import Foundation

/// A JSON file that a build tool has written. Only what has the expected shape is used.
struct JSONFile {
    let value: Any

    init?(at path: String) {
        guard let bytes = try? RegularFile.bytes(path),
            let value = try? JSONSerialization.jsonObject(with: Data(bytes))
        else { return nil }
        self.value = value
    }

    init?(_ folder: BuildFolder, _ path: String) { self.init(at: folder.root.appendingPathComponent(path).path) }

    private init?(_ value: Any?) {
        guard let value else { return nil }
        self.value = value
    }

    subscript(_ key: String) -> JSONFile? { JSONFile((value as? [String: Any])?[key]) }

    var members: [(key: String, value: JSONFile)] {
        (value as? [String: Any] ?? [:]).sorted { $0.key < $1.key }.compactMap { key, value in
            JSONFile(value).map { (key, $0) }
        }
    }

    var elements: [JSONFile] { (value as? [Any] ?? []).compactMap { JSONFile($0) } }
    var text: String? { value as? String }
    var texts: [String] { elements.compactMap(\.text) }
    var isTrue: Bool { value as? Bool == true }
}
