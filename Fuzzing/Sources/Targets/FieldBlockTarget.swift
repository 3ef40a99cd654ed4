import HTTPTypes

@testable import ResponseStore

/// The fields of a stored response: the bytes of a block.
enum FieldBlockTarget: FuzzTarget {
    static let name = "field-block"
    static let shapes = [
        HostileShape("\u{0}"), HostileShape("\u{1}\u{0}a\u{0}\u{0}\u{0}\u{0}"), HostileShape("a"),
        HostileShape("\u{1}\u{0}a\u{1}\u{0}\u{0}\u{0} "), HostileShape("\u{2}\u{0}ab\u{2}\u{0}\u{0}\u{0}\n "),
    ]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let bytes = input.bytes
        let pairs = FieldBlock.read(bytes)
        // A name of octets that are not UTF-8 grows when it becomes text, beyond the range of its length.
        if let pairs, pairs.allSatisfy({ $0.name.utf8.count <= UInt16.max }) {
            let again = FieldBlock.read(FieldBlock.write(pairs)) ?? []
            let isSame = pairs.elementsEqual(again) {
                $0.name.isSame(as: $1.name) && $0.value.isSame(as: $1.value)
            }
            try claim(isSame, "pairs are read as they were written", [pairs])
            try claim(FieldBlock.read(bytes + [1]) == nil, "a field that is cut off is none", [bytes])
        }
        guard let fields = FieldBlock.readFields(bytes) else { return }
        try claim(pairs?.count == fields.count, "fields are pairs", [bytes])
        let written = FieldBlock.write(fields)
        let again = FieldBlock.readFields(written)
        try claim(again?.octets == fields.octets, "fields are read as they were written", [fields])
        try claim(written.count <= bytes.count, "nothing is added", [fields])
    }
}
