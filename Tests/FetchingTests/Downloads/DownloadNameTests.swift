import HTTPTypes
import Testing

@testable import Fetching
@testable import WebTesting

@Suite("RFC 6266: the name of a download")
struct DownloadNameTests {
    static let disposed: [FetchRow<String, String>] = [
        .init("attachment; filename=report.pdf", "report.pdf", "§4.1, a token"),
        .init("attachment; filename=\"my report.pdf\"", "my report.pdf", "§4.1, a quoted string"),
        .init("attachment; filename=\"a\\\"b.txt\"", "a\"b.txt", "RFC 9110 §5.6.4, quoted pairs"),
        .init("Attachment; FileName=report.pdf", "report.pdf", "§4.1: names have no case"),
        .init("attachment;filename = report.pdf ;x=y", "report.pdf", "§4.1: spaces around tokens"),
        .init(
            "attachment; filename=plain.txt; filename*=UTF-8''%e2%82%ac.txt", "€.txt", "§4.3: filename* goes before"),
        .init("attachment; filename*=iso-8859-1'en'%A3.txt", "£.txt", "RFC 8187 §3.2.1"),
        .init("attachment; filename*=koi8-r''%A3.txt; filename=b.txt", "b.txt", "RFC 8187 §3.2.1: an unknown charset"),
        .init("attachment; filename*=UTF-8''%ff.txt; filename=b.txt", "b.txt", "no UTF-8"),
        .init("attachment; filename*=UTF-8''%+1.txt; filename=b.txt", "b.txt", "no hexadecimal digits"),
        .init("attachment; filename*=UTF-8''%4; filename=b.txt", "b.txt", "half an octet"),
        .init("attachment; filename=\"../../etc/passwd\"", "passwd", "§4.3: the last component only"),
        .init("attachment; filename=\"C:\\\\x\\\\y.exe\"", "y.exe", "§4.3: of other systems' paths too"),
        .init("attachment; filename*=UTF-8''..%2F..%2Fx", "x", "§4.3: after decoding"),
        .init("attachment; filename=\".bashrc\"", "bashrc", "§4.3: no hidden files"),
        .init("attachment; filename=\"a\u{202E}fdp.exe\"", "afdp.exe", "§4.3: nothing that reads backwards"),
        .init("attachment; filename*=UTF-8''a%00b%07.txt", "ab.txt", "§4.3: control characters"),
        .init("attachment; filename=\"x.txt. \"", "x.txt", "§4.3: dots and spaces at the end"),
        .init("attachment; filename=\"..\"", "file.bin", "nothing is left: the URL's"),
        .init("attachment; filename=\"", "file.bin", "an open quote"),
        .init("attachment", "file.bin", "no name: the URL's"),
        .init("inline; filename=a.txt", "a.txt", "§4.2: also of what is shown"),
        .init("; ; =; filename", "file.bin", "nothing that can be read"),
    ]

    @Test("Content-Disposition gives the name, and never a folder", arguments: disposed)
    func disposition(_ row: FetchRow<String, String>) {
        let name = DownloadName.suggested(
            by: [.contentDisposition: row.given], url: "https://a.test/folder/file.bin?x=/y")
        #expect(name == row.expected)
    }

    @Test(
        "without one the URL does",
        arguments: [
            ("https://a.test/b/c.pdf?d=e/f#g", "c.pdf"), ("https://a.test/b%20c.pdf", "b c.pdf"),
            ("https://a.test/%2e%2e%2fx", "x"), ("https://a.test/", "download"), ("https://a.test/%ff", "download"),
            ("app-cache-https://a.test/c.pdf", "c.pdf"), ("no url", "download"),
        ])
    func url(_ url: String, name: String) {
        #expect(DownloadName.suggested(by: [:], url: url) == name)
    }

    @Test("a name is at most 200 octets long, keeps its ending, and is cut between characters")
    func long() {
        let name = DownloadName.harmless(String(repeating: "é", count: 300) + ".pdf") ?? ""
        #expect(name.utf8.count == 200 && name.hasSuffix("é.pdf"))
    }

    @Test("a number stands before the ending")
    func number() {
        #expect(DownloadName.numbered("a.tar.gz", 2) == "a.tar-2.gz")
        #expect(DownloadName.numbered("a", 3) == "a-3")
    }
}
