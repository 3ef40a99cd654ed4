/// The addresses in an import map, HTML §8.1.5.3: in JSON, each string may be one, as a name and as a value.
enum ImportMapText {
    /// - Parameters:
    ///   - text: The JSON, as it is in the page.
    ///   - offset: The offset of its first byte.
    /// - Returns: Where addresses of named hosts begin.
    static func insertions(_ text: String, at offset: Int, _ hosts: NamedHosts, isUTF8: Bool) -> [Insertion] {
        var insertions: [Insertion] = []
        let bytes = Array(text.utf8)
        var index = 0
        while index < bytes.count {
            guard bytes[index] == 0x22 else {
                index += 1
                continue
            }
            let start = index + 1
            var string: [UInt8] = []
            index = start
            while index < bytes.count, bytes[index] != 0x22 {
                // The only escape in addresses is `\/`.
                if bytes[index] == 0x5C, index + 1 < bytes.count {
                    if bytes[index + 1] != 0x2F { string.append(0x5C) }
                    index += 1
                }
                string.append(bytes[index])
                index += 1
            }
            index += 1
            let value = String(decoding: string, as: UTF8.self)
            if hosts.contains(value, isUTF8: isUTF8) { insertions.append(Insertion(at: offset + start)) }
        }
        return insertions
    }
}
