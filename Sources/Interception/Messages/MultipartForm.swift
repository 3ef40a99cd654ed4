/// The multipart/form-data encoding algorithm, HTML §4.10.21.8 and RFC 7578.
struct MultipartForm {
    struct Entry: Sendable {
        var entry: FormEntry
        var chunks: [[UInt8]] = []
    }

    private static let attempts = 8
    /// 64 of them, so that each takes six random bits and no random source can make the choice last.
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789AB".utf8)

    /// - Parameter random: Need not be fit for secrets: a boundary that is in the content is thrown away.
    /// - Returns: `nil` if the random source gave nothing but boundaries that are in the content.
    static func encode(_ entries: [Entry], random: inout some RandomNumberGenerator) -> FlattenedBody? {
        let entries = entries.map(normalized)
        for _ in 0..<attempts {
            let boundary = makeBoundary(&random)
            if entries.allSatisfy({ !contains($0, boundary) }) { return encode(entries, boundary) }
        }
        return nil
    }

    private static func encode(_ entries: [Entry], _ boundary: [UInt8]) -> FlattenedBody {
        let delimiter = Array("--".utf8) + boundary
        var pieces: [[UInt8]] = []
        for entry in entries {
            pieces.append(delimiter + Array("\r\n".utf8) + header(entry.entry) + Array("\r\n".utf8))
            pieces += entry.chunks.filter { !$0.isEmpty }
            pieces.append(Array("\r\n".utf8))
        }
        pieces.append(delimiter + Array("--\r\n".utf8))
        let text = String(decoding: boundary, as: UTF8.self)
        return FlattenedBody(pieces: pieces, contentType: "multipart/form-data; boundary=\(text)")
    }

    private static func header(_ entry: FormEntry) -> [UInt8] {
        var lines = "Content-Disposition: form-data; name=\"\(escaped(entry.name))\""
        if let file = entry.file {
            lines += "; filename=\"\(escaped(file.name))\"\r\n"
            lines += "Content-Type: \(isFieldValue(file.contentType) ? file.contentType : "application/octet-stream")"
        }
        return Array((lines + "\r\n").utf8)
    }

    /// "Replace every occurrence of U+000D (CR) not followed by U+000A (LF), and every occurrence of U+000A (LF) not
    /// preceded by U+000D (CR)" with both, in names, and in values that are not files.
    private static func normalized(_ entry: Entry) -> Entry {
        var entry = entry
        entry.entry.name = String(decoding: normalized(Array(entry.entry.name.utf8)), as: UTF8.self)
        // Over the whole value: a CR and its LF may be in different chunks.
        if entry.entry.file == nil { entry.chunks = [normalized(Array(entry.chunks.joined()))] }
        return entry
    }

    private static func normalized(_ text: [UInt8]) -> [UInt8] {
        guard text.contains(where: { $0 == 0x0D || $0 == 0x0A }) else { return text }
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        for (place, byte) in text.enumerated() {
            switch byte {
            case 0x0D: result += [0x0D, 0x0A]
            case 0x0A: if place == 0 || text[place - 1] != 0x0D { result += [0x0D, 0x0A] }
            default: result.append(byte)
            }
        }
        return result
    }

    /// Of names and file names: LF, CR and quotes, which would end the parameter or the field.
    private static func escaped(_ text: String) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x0A: result += Array("%0A".utf8)
            case 0x0D: result += Array("%0D".utf8)
            case 0x22: result += Array("%22".utf8)
            default: result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// A type that a page made up must not add fields of its own.
    private static func isFieldValue(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }

    private static func makeBoundary(_ random: inout some RandomNumberGenerator) -> [UInt8] {
        Array("----FormBoundary".utf8)
            + (0..<24).map { _ in
                let bits: UInt64 = random.next()
                return letters[Int(bits & 63)]
            }
    }

    private static func contains(_ entry: Entry, _ boundary: [UInt8]) -> Bool {
        var search = BoundarySearch(boundary)
        let names = [Array(entry.entry.name.utf8), Array((entry.entry.file?.name ?? "").utf8)]
        return names.contains { search.finds(in: $0) } || entry.chunks.contains { search.finds(in: $0) }
    }
}
