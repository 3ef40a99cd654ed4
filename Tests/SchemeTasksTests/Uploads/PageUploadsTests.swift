import CacheEngine
import CacheTesting
import HTTPTypes
import Locking
import Testing

@testable import Fetching
@testable import PageScripts
@testable import SchemeTasks
@testable import WebTesting

/// What the script of a page sends, and what native code sends on.
@Suite("Content that a page hands over in pieces", .timeLimit(.minutes(5)))
struct PageUploadsTests {
    private static let url = "https://page.test/upload"
    private let uploads = PageUploads()

    private func id(_ number: Int = 0) throws -> UploadID {
        let digits = String(number)
        return try #require(UploadID(String(repeating: "a", count: 16 - digits.count) + digits))
    }

    /// The status with which a part is answered; 0 for an error.
    private func status(_ part: UploadPart, _ content: [UInt8] = [], url: String = url) async -> Int {
        let outcome = await uploads.answer(part, url: url, content: content).outcome()
        return switch outcome {
        case .success(let response): response.head.status.code
        case .failure: 0
        }
    }

    /// Begins an upload, and returns once native code knows of it.
    private func begin(_ part: UploadPart) async -> Task<Int, Never> {
        let count = uploads.count
        let begun = Task { await status(part) }
        while uploads.count == count { await Task.yield() }
        return begun
    }

    private func collect(_ source: any BodySource) async throws -> [UInt8] {
        var all: [UInt8] = []
        while let piece = try await source.next() { all += piece }
        return all
    }

    @Test("pieces reach the origin in their order; each is answered when the origin takes it, and not before")
    func order() async throws {
        let id = try id()
        let begun = await begin(.begin(id, length: 6, isForm: false))
        let upload = try #require(uploads.claim(id, url: Self.url))
        let answered = LockedBox(0)
        let pieces = Task {
            let contents: [[UInt8]] = [[1, 2], [3, 4, 5], [6]]
            var statuses: [Int] = []
            for (number, content) in contents.enumerated() {
                statuses.append(await status(.piece(id, number: number), content))
                answered.withLock { $0 += 1 }
            }
            return statuses
        }
        let source = upload.makeSource()
        #expect(answered.withLock { $0 } == 0)
        #expect(try await source.next() == [1, 2])
        #expect(answered.withLock { $0 } <= 1)
        #expect(try await collect(source) == [3, 4, 5, 6])
        #expect(await pieces.value == [200, 200, 200])
        #expect(await begun.value == 200)
        #expect(uploads.count == 0)
    }

    typealias Broken = HeldFormTests.Broken

    @Test(
        "a page that breaks the rules ends its own upload, and no request is sent as if it were whole",
        arguments: [
            Broken(testDescription: "more than was announced") { [(.piece($0, number: 0), [1, 2, 3, 4])] },
            Broken(testDescription: "two pieces at a time") {
                [(.piece($0, number: 0), [1]), (.piece($0, number: 0), [1])]
            },
            Broken(testDescription: "a number out of turn") { [(.piece($0, number: 1), [1])] },
            Broken(testDescription: "a number below zero") { [(.piece($0, number: -1), [1])] },
            Broken(testDescription: "an empty piece") { [(.piece($0, number: 0), [])] },
            Broken(testDescription: "a file that can't be read") { [(.failure($0), [])] },
            Broken(testDescription: "a piece that is too long") {
                [(.piece($0, number: 0), [UInt8](repeating: 0, count: PageUpload.greatestPiece + 1))]
            },
        ])
    func broken(_ row: Broken) async throws {
        let id = try id()
        let begun = await begin(.begin(id, length: 3, isForm: false))
        let upload = try #require(uploads.claim(id, url: Self.url))
        let parts = row.parts(id).map { part, content in Task { await status(part, content) } }
        await #expect(throws: SchemeTaskError.self) { try await collect(upload.makeSource()) }
        var statuses: [Int] = []
        for part in parts { statuses.append(await part.value) }
        #expect(statuses.contains(0))
        #expect(await begun.value == 0)
        #expect(uploads.count == 0)
    }

    @Test("only the URL that an upload was begun for gets it, and once")
    func target() async throws {
        let id = try id()
        let begun = await begin(.begin(id, length: 3, isForm: false))
        #expect(uploads.claim(id, url: "https://page.test/other") == nil)
        #expect(uploads.claim(try self.id(1), url: Self.url) == nil)
        #expect(await status(.piece(id, number: 0), [1], url: "https://page.test/other") == 0)
        #expect(await status(.begin(id, length: 3, isForm: false)) == 0)
        #expect(uploads.claim(id, url: Self.url + "#top") != nil)
        #expect(uploads.claim(id, url: Self.url) == nil)
        begun.cancel()
        #expect(await begun.value == 0)
    }

    @Test("a page that goes away ends its uploads: nothing is kept, and the request fails")
    func left() async throws {
        let id = try id()
        let begun = await begin(.begin(id, length: 3, isForm: false))
        let upload = try #require(uploads.claim(id, url: Self.url))
        let piece = Task { await status(.piece(id, number: 0), [1]) }
        let source = upload.makeSource()
        #expect(try await source.next() == [1])
        begun.cancel()
        await #expect(throws: SchemeTaskError.self) { try await source.next() }
        #expect(await [begun.value, piece.value] == [0, 200])
        #expect(uploads.count == 0)
    }

    @Test("a page has no more than its share of uploads")
    func flood() async throws {
        var begun: [Task<Int, Never>] = []
        for number in 0..<PageUploads.greatestCount {
            begun.append(await begin(.begin(try id(number), length: 1, isForm: false)))
        }
        #expect(await status(.begin(try id(9_999), length: 1, isForm: false)) == 0)
        for task in begun { task.cancel() }
        for task in begun { #expect(await task.value == 0) }
        #expect(uploads.count == 0)
    }

    @Test("hostile: names of other forms, and lengths that are none, are refused")
    func malformed() async throws {
        for text in ["", "a", "aaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaa\"", "aaaaaaaaaaaaaaé"] {
            #expect(UploadID(text) == nil)
        }
        #expect(await status(.begin(try id(), length: 0, isForm: false)) == 0)
        #expect(await status(.begin(try id(), length: -1, isForm: false)) == 0)
        #expect(await status(.content(try id())) == 0)
    }

    // MARK: Forms

    @Test("HTML §4.10.21.8: a form's native content holds the name of its upload, and gets its type and content")
    func form() async throws {
        let id = try id()
        let begun = await begin(.begin(id, length: 2, isForm: true))
        let native = Array("--B\r\nContent-Disposition: form-data; name=\"\(id.text)\"\r\n\r\n\r\n--B--\r\n".utf8)
        var fields: HTTPFields = [.contentType: "multipart/form-data; boundary=B"]
        func claim(_ native: [UInt8], url: String = Self.url) throws -> PageUpload? {
            let content = try uploads.formContent(url: url, fields: &fields) { _ in native }
            guard case .upload(let upload)? = content else { return nil }
            return upload
        }
        #expect(uploads.expectsForm(at: Self.url + "#top") && !uploads.expectsForm(at: "https://page.test/other"))
        // Scripts can't send it, and no other form gets it.
        #expect(uploads.claim(id, url: Self.url) == nil)
        #expect(try claim(Array("name=\"\(id.text)x\"".utf8)) == nil)
        #expect(try claim(native, url: "https://page.test/other") == nil)
        let upload = try #require(try claim(native))
        #expect(fields[.contentType] == "multipart/form-data; boundary=----WebKitFormBoundary\(id.text)")
        #expect(!uploads.expectsForm(at: Self.url))
        async let piece = status(.piece(id, number: 0), [1, 2])
        #expect(try await collect(upload.makeSource()) == [1, 2])
        #expect(await [piece, begun.value] == [200, 200])
    }

    // MARK: With a request

    private func ask(_ bench: ResponderBench, _ upload: PageUpload) async throws -> ResponderBench.Answer {
        try await bench.result(
            of: bench.responder.answer(
                RequestEvidence(
                    method: .post, url: Self.url,
                    fields: [
                        FetchField.secFetchMode: "cors", .secFetchDest: "empty",
                        FetchField.secFetchSite: "same-origin", .origin: "https://page.test",
                    ], topLevelURL: "https://page.test/", navigation: RequestEvidence.Navigation.none), .upload(upload))
        )
    }

    @Test(
        "RFC 9110 §15.4.8: a redirect wants the content once more, and gets it as long as that is kept",
        arguments: [(3, true), (Int(PageUpload.greatestKept), true), (Int(PageUpload.greatestKept) + 1, false)])
    func redirect(_ length: Int, _ isKept: Bool) async throws {
        let (bench, id) = (ResponderBench(), try id())
        let received = LockedBox<[Int]>([])
        for (path, location) in [("upload", "/next"), ("next", nil as String?)] {
            bench.transport.on("https://page.test/\(path)") { request in
                let body = try #require(request.body)
                let bytes = try await ResponseBody.stream(body.source, length: nil).collect(upTo: .mebibytes(8))
                received.withLock { $0.append(bytes.count) }
                guard let location else { return ScriptedTransport.answer(200, body: "done") }
                return ScriptedTransport.answer(307, [.location: location])
            }
        }
        let begun = await begin(.begin(id, length: Int64(length), isForm: false))
        let upload = try #require(uploads.claim(id, url: Self.url))
        let pieces = Task {
            for (number, start) in stride(from: 0, to: length, by: PageUpload.greatestPiece).enumerated() {
                let count = min(PageUpload.greatestPiece, length - start)
                guard await status(.piece(id, number: number), [UInt8](repeating: 7, count: count)) == 200 else {
                    return
                }
            }
        }
        let answer = try await ask(bench, upload)
        #expect(answer.text == (isKept ? "done" : ""))
        #expect(answer.fetchError == (isKept ? nil : .bodyNotReplayable))
        #expect(received.withLock { $0 } == (isKept ? [length, length] : [length]))
        await pieces.value
        #expect(await begun.value == 200)
    }

    @Test("an origin that answers without the content ends the upload, and the page is told that it did not fail")
    func early() async throws {
        let (bench, id) = (ResponderBench(), try id())
        bench.transport.on(Self.url) { request in
            request.body?.source.cancel()
            return ScriptedTransport.answer(413, body: "too large")
        }
        let begun = await begin(.begin(id, length: 10, isForm: false))
        let upload = try #require(uploads.claim(id, url: Self.url))
        let piece = Task { await status(.piece(id, number: 0), [1]) }
        #expect(try await ask(bench, upload).status == 413)
        #expect(await begun.value == 410)
        // It may come after the end, when nobody knows of the upload any more.
        #expect([0, 410].contains(await piece.value))
    }

    @Test("a request that fails fails its upload")
    func failed() async throws {
        let (bench, id) = (ResponderBench(), try id())
        bench.transport.on(Self.url) { _ in throw TransportError(code: .connectionFailed, message: "Nobody is there.") }
        let begun = await begin(.begin(id, length: 10, isForm: false))
        let upload = try #require(uploads.claim(id, url: Self.url))
        #expect(try await ask(bench, upload).error != nil)
        #expect(await begun.value == 0)
    }

    @Test("content that its request carries by itself is followed until it is taken")
    func followed() async throws {
        let (bench, id) = (ResponderBench(), try id())
        bench.transport.on(Self.url) { request in
            let body = try #require(request.body)
            let bytes = try await ResponseBody.stream(body.source, length: nil).collect(upTo: .mebibytes(1))
            return ScriptedTransport.answer(200, body: "\(body.length ?? -1) \(bytes)")
        }
        let begun = await begin(.follow(id))
        // No piece of another request gets in its place.
        #expect(try #require(uploads.claim(id, url: Self.url)).isWhole)
        #expect(await status(.piece(id, number: 0), [9]) == 0)
        #expect(await begun.value == 0)
        let again = await begin(.follow(try self.id(1)))
        let other = try #require(uploads.claim(try self.id(1), url: Self.url))
        other.give([1, 2])
        #expect(try await ask(bench, other).text == "2 [1, 2]")
        #expect(await again.value == 200)
    }
}
