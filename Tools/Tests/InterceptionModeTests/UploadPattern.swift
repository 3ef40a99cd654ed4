import Foundation
import NIOHTTP1

/// Bytes that tell their own place, so that none can be lost or exchanged unseen; `large` of `uploads.js` makes the
/// same.
enum UploadPattern {
    /// The bytes repeat after this.
    private static let period = 16_777_216

    private static let bytes: [UInt8] = .init(unsafeUninitializedCapacity: period) { buffer, count in
        for place in 0..<period { buffer[place] = UInt8(truncatingIfNeeded: place ^ place >> 8 ^ place >> 16) }
        count = period
    }

    /// Of text, in which every character is one byte.
    private static let text = bytes.map { $0 & 0x7F }

    /// Where `content` is not what it should be; `nil` if it is.
    private static func fault(in content: ArraySlice<UInt8>, isText: Bool) -> Int? {
        (isText ? text : bytes).withUnsafeBytes { expected in
            content.withUnsafeBytes { content in
                guard let first = expected.baseAddress, let start = content.baseAddress else { return nil }
                for place in stride(from: 0, to: content.count, by: period)
                where memcmp(first, start + place, min(period, content.count - place)) != 0 { return place }
                return nil
            }
        }
    }

    /// What pages are told of an upload: how much it was, and whether it arrived as it was. Of a form its last entry,
    /// and the fields of that.
    static func judge(_ request: MatrixRequest) -> String {
        var content = request.body[...]
        var head = ""
        let type = request.fields.first(name: "Content-Type") ?? "-"
        if let boundary = type.components(separatedBy: "boundary=").dropFirst().first {
            let data = Data(request.body)
            let (start, end) = (Data("\r\n\r\n".utf8), Data("\r\n--\(boundary)--\r\n".utf8))
            // The fields of the last entry come after the other entries, which are short.
            let top = data.dropLast(end.count).prefix(1_000)
            guard let first = top.range(of: start, options: .backwards), data.suffix(end.count) == end else {
                return MatrixRequest.json(["method": request.method, "type": type, "text": "no form"])
            }
            head = String(decoding: data[..<first.lowerBound], as: UTF8.self) + " "
            content = request.body[first.upperBound..<(request.body.count - end.count)]
        }
        let stated = request.fields.first(name: "Content-Length").map { $0 == String(request.body.count) } == true
        let text =
            "\(head)\(content.count) bytes, \(fault(in: content, isText: request["ascii"] != nil).map { "wrong at \($0)" } ?? "as they were")"
            + (stated ? "" : ", length not stated")
        return MatrixRequest.json(["method": request.method, "type": type, "text": text])
    }
}
