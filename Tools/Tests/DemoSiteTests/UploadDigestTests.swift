import Testing

@testable import DemoSite

@Suite("RFC 7578 multipart/form-data, read as it arrives")
struct UploadDigestTests {
    static let file: [UInt8] = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 31) } + Array("\r\n--b\r\n-".utf8)

    static func form(_ file: [UInt8], boundary: String = "bound") -> [UInt8] {
        Array("--\(boundary)\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nhello\r\n--\(boundary)\r\n".utf8)
            + Array("Content-Disposition: form-data; name=\"photo\"; filename=\"a.bin\"\r\n".utf8)
            + Array("Content-Type: application/octet-stream\r\n\r\n".utf8) + file
            + Array("\r\n--\(boundary)--\r\n".utf8)
    }

    @Test("the cuts between pieces do not matter", arguments: [1, 2, 3, 7, 8, 9, 64, 997, 100_000])
    func pieces(size: Int) {
        let body = Self.form(Self.file)
        var digest = UploadDigest(contentType: "multipart/form-data; boundary=bound")
        for start in stride(from: 0, to: body.count, by: size) {
            digest.update(body[start..<min(start + size, body.count)])
        }
        let report = digest.finish()
        #expect(report == .init(parts: 2, bytes: Self.file.count, sha256: HexDigest.sha256(Self.file)))
    }

    @Test("a quoted boundary and an empty file are understood")
    func quoted() {
        var digest = UploadDigest(contentType: "multipart/form-data; boundary=\"bound\"; charset=utf-8")
        digest.update(Self.form([]))
        #expect(digest.finish() == .init(parts: 2, bytes: 0, sha256: HexDigest.sha256([])))
    }

    @Test("a form that breaks off has no report")
    func broken() {
        var digest = UploadDigest(contentType: "multipart/form-data; boundary=bound")
        digest.update(Self.form(Self.file).dropLast(20))
        #expect(digest.finish() == nil)
    }

    @Test("another body is digested whole")
    func raw() {
        var digest = UploadDigest(contentType: "application/octet-stream")
        digest.update(Self.file)
        #expect(digest.finish() == .init(parts: 0, bytes: Self.file.count, sha256: HexDigest.sha256(Self.file)))
    }
}
