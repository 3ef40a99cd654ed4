import HTTPTypes
import Testing

extension HTTPFields {
    /// Fields as they stand in a message, `Name: value` each.
    init(lines: [String]) {
        self.init()
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else {
                Issue.record("The test's own line is no field: \(line)")
                continue
            }
            append(HTTPField(name: name, value: String(parts[1].drop { $0 == " " })))
        }
    }

    /// The fields as `name: value` in lower-case names, sorted by name; lines of one name keep their order.
    var linesByName: [String] {
        Dictionary(grouping: self, by: \.name.canonicalName).sorted { $0.key < $1.key }.flatMap { name, fields in
            fields.map { "\(name): \($0.value)" }
        }
    }
}
