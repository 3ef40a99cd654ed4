import Testing

@testable import Fetching
@testable import WebTesting

@Suite("RFC 6266: the name of a download")
struct DownloadNameTests {
    static let names: [FetchRow<String, String?>] = [
        .init("my report.pdf", "my report.pdf", "§4.3: a plain name stays"),
        .init("../../etc/passwd", "passwd", "§4.3: the last component only"),
        .init("C:\\x\\y.exe", "y.exe", "§4.3: of other systems' paths too"),
        .init(".bashrc", "bashrc", "§4.3: no hidden files"),
        .init("a\u{202E}fdp.exe", "afdp.exe", "§4.3: nothing that reads backwards"),
        .init("a\u{0}b\u{7}:.txt", "ab.txt", "§4.3: control characters and colons"),
        .init("x.txt. ", "x.txt", "§4.3: dots and spaces at the end"),
        .init("..", nil, "nothing is left"),
        .init("a/", "a", "a folder's name"),
    ]

    @Test("a name that somebody else chose is never a folder's, nor hidden", arguments: names)
    func harmless(_ row: FetchRow<String, String?>) {
        #expect(DownloadName.harmless(row.given) == row.expected)
    }

    @Test("a name is at most 200 octets long, keeps its ending, and is cut between characters")
    func long() {
        let name = DownloadName.harmless(String(repeating: "é", count: 300) + ".pdf") ?? ""
        #expect(name.utf8.count == 200 && name.hasSuffix("é.pdf"))
    }
}
