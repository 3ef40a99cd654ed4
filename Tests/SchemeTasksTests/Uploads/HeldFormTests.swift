import CacheEngine
import CacheTesting
import HTTPTypes
import Locking
import Testing

@testable import Fetching
@testable import PageScripts
@testable import SchemeTasks
@testable import WebTesting

/// Forms whose answer takes the place of their own page.
@Suite("Forms whose content is collected before the web view navigates", .timeLimit(.minutes(5)))
struct HeldFormTests {
    private static let url = "https://page.test/upload"
    private static let other = "https://page.test/other"
    private static let type = "multipart/form-data; boundary=----WebKitFormBoundary0123456789abcdef"

    private struct NoRoom: Error {}

    /// A file that has room for so much.
    private final class Space: UploadSpace {
        private let content = LockedBox<[UInt8]>([])
        private let room: Int
        init(room: Int) { self.room = room }

        func append(_ bytes: [UInt8]) throws {
            try content.withLock { content in
                guard content.count + bytes.count <= room else { throw NoRoom() }
                content += bytes
            }
        }

        func read(at offset: Int64, count: Int) throws -> [UInt8] {
            content.withLock { Array($0[Int(offset)..<(Int(offset) + count)]) }
        }
    }

    private func id(_ number: Int = 0) throws -> UploadID {
        let digits = String(number)
        return try #require(UploadID(String(repeating: "a", count: 16 - digits.count) + digits))
    }

    private func native(_ id: UploadID) -> [UInt8] {
        Array("--B\r\nContent-Disposition: form-data; name=\"\(id.text)\"\r\n\r\n\r\n--B--\r\n".utf8)
    }

    private func status(_ uploads: PageUploads, _ part: UploadPart, _ content: [UInt8] = [], url: String = url) async
        -> Int
    {
        let outcome = await uploads.answer(part, url: url, content: content).outcome()
        return switch outcome {
        case .success(let response): response.head.status.code
        case .failure: 0
        }
    }

    /// Begins a form, and returns once native code knows of it.
    private func begin(_ uploads: PageUploads, _ id: UploadID, _ length: Int64, url: String = url) async -> Task<
        Int, Never
    > {
        let count = uploads.count
        let begun = Task { await status(uploads, .hold(id, length: length), url: url) }
        while uploads.count == count { await Task.yield() }
        return begun
    }

    private func collect(_ form: HeldForm) async throws -> [UInt8] {
        let source = form.makeSource()
        var all: [UInt8] = []
        while let piece = try await source.next() { all += piece }
        return all
    }

    /// - Parameter isKnown: The content is not to be read.
    private func claim(
        _ uploads: PageUploads, _ id: UploadID, url: String = url, type: String = type, isKnown: Bool = false
    ) throws -> HeldForm? {
        var fields: HTTPFields = [.contentType: type]
        let content = try uploads.formContent(url: url, fields: &fields) { _ in isKnown ? nil : native(id) }
        guard case .form(let form)? = content else { return nil }
        #expect(fields[.contentType] == "multipart/form-data; boundary=\(id.boundary)")
        return form
    }

    @Test("the web view waits until all of a form is there; then the form lasts longer than its page")
    func order() async throws {
        let (uploads, id) = (PageUploads(), try id())
        let begun = await begin(uploads, id, 5)
        #expect(uploads.forms.hasUnclaimed(at: Self.url + "#top") && uploads.expectsForm(at: Self.url))
        #expect(!uploads.forms.hasUnclaimed(at: Self.other) && !uploads.expectsForm(at: Self.other))
        let hasWaited = LockedBox(false)
        let waiting = Task {
            await uploads.forms.release(at: Self.url)
            hasWaited.withLock { $0 = true }
        }
        // Nobody reads yet, and each piece is taken all the same.
        #expect(await status(uploads, .piece(id, number: 0), [1, 2, 3]) == 200)
        #expect(!hasWaited.withLock { $0 })
        #expect(await status(uploads, .piece(id, number: 1), [4, 5]) == 200)
        await waiting.value
        begun.cancel()
        #expect(await begun.value == 0)
        let form = try #require(try claim(uploads, id))
        #expect(try await collect(form) == [1, 2, 3, 4, 5])
        #expect(try await collect(form) == [1, 2, 3, 4, 5])
        #expect(!uploads.forms.hasUnclaimed(at: Self.url) && !uploads.expectsForm(at: Self.url))
    }

    @Test("only the URL that a form was begun for gets it, and once; its name is of no use elsewhere")
    func target() async throws {
        let (uploads, id) = (PageUploads(), try id())
        let begun = await begin(uploads, id, 1)
        #expect(await status(uploads, .piece(id, number: 0), [1], url: Self.other) == 0)
        #expect(await status(uploads, .hold(id, length: 1)) == 0)
        #expect(await status(uploads, .piece(id, number: 0), [1]) == 200)
        await uploads.forms.release(at: Self.url)
        #expect(try claim(uploads, id, url: Self.other) == nil)
        #expect(try claim(uploads, try self.id(1)) == nil)
        // Another account has another view, and that one other uploads.
        #expect(try claim(PageUploads(), id) == nil)
        // No script gets it.
        #expect(uploads.claim(id, url: Self.url) == nil)
        #expect(try claim(uploads, id) != nil)
        #expect(try claim(uploads, id, type: "another") == nil)
        #expect(await begun.value == 200)
    }

    @Test("what the web view sends once more is known by the boundary that it drew, and by nothing else")
    func again() async throws {
        let (uploads, id) = (PageUploads(), try id())
        let begun = await begin(uploads, id, 1)
        #expect(await status(uploads, .piece(id, number: 0), [7]) == 200)
        #expect(try claim(uploads, id, isKnown: true) == nil)
        #expect(try claim(uploads, id) != nil)
        #expect(await begun.value == 200)
        #expect(try claim(uploads, id, url: Self.other, isKnown: true) == nil)
        #expect(try claim(uploads, id, type: Self.type + "x", isKnown: true) == nil)
        let form = try #require(try claim(uploads, id, isKnown: true))
        #expect(try await collect(form) == [7])
    }

    @Test("a page that is left before its form is whole sends nothing, and nothing of it is kept")
    func left() async throws {
        let (uploads, id) = (PageUploads(), try id())
        let begun = await begin(uploads, id, 2)
        #expect(await status(uploads, .piece(id, number: 0), [1]) == 200)
        let waiting = Task { await uploads.forms.release(at: Self.url) }
        begun.cancel()
        #expect(await begun.value == 0)
        await waiting.value
        #expect(await status(uploads, .piece(id, number: 1), [2]) == 0)
        #expect(try claim(uploads, id) == nil)
    }

    @Test("a form that the web view was not told to send goes with its page")
    func unsent() async throws {
        let (uploads, id) = (PageUploads(), try id())
        let begun = await begin(uploads, id, 1)
        #expect(await status(uploads, .piece(id, number: 0), [1]) == 200)
        begun.cancel()
        #expect(await begun.value == 0)
        #expect(uploads.count == 0)
        #expect(try claim(uploads, id) == nil)
    }

    struct Broken: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var parts: @Sendable (UploadID) -> [(UploadPart, [UInt8])]
    }

    @Test(
        "a page that breaks the rules ends its own form: the web view does not wait for ever, and nothing is sent",
        arguments: [
            Broken(testDescription: "more than was announced") { [(.piece($0, number: 0), [1, 2, 3, 4])] },
            Broken(testDescription: "a number out of turn") { [(.piece($0, number: 1), [1])] },
            Broken(testDescription: "the same number twice") {
                [(.piece($0, number: 0), [1]), (.piece($0, number: 0), [1])]
            },
            Broken(testDescription: "an empty piece") { [(.piece($0, number: 0), [])] },
            Broken(testDescription: "a file that can't be read") { [(.failure($0), [])] },
            Broken(testDescription: "a piece that is too long") {
                [(.piece($0, number: 0), [UInt8](repeating: 0, count: PageUpload.greatestPiece + 1))]
            },
        ])
    func broken(_ row: Broken) async throws {
        let (uploads, id) = (PageUploads(), try id())
        let begun = await begin(uploads, id, 3)
        var statuses: [Int] = []
        for (part, content) in row.parts(id) { statuses.append(await status(uploads, part, content)) }
        #expect(statuses.last == 0)
        #expect(await begun.value == 0)
        await uploads.forms.release(at: Self.url)
        #expect(throws: SchemeTaskError.self) { try claim(uploads, id) }
        #expect(try claim(uploads, id) == nil)
    }

    @Test("a request that comes too early is refused, and the form with it")
    func early() async throws {
        let (uploads, id) = (PageUploads(), try id())
        let begun = await begin(uploads, id, 2)
        #expect(throws: SchemeTaskError.self) { try claim(uploads, id) }
        #expect(await begun.value == 0)
    }

    // MARK: Room

    private static let long = HeldForm.greatestInMemory + 1

    /// Sends all of a form of this length; whether every piece was taken.
    private func send(_ uploads: PageUploads, _ id: UploadID, _ length: Int64) async -> Bool {
        for (number, start) in stride(from: 0, to: Int(length), by: PageUpload.greatestPiece).enumerated() {
            let count = min(PageUpload.greatestPiece, Int(length) - start)
            let bytes = [UInt8](repeating: UInt8(number), count: count)
            guard await status(uploads, .piece(id, number: number), bytes) == 200 else { return false }
        }
        return true
    }

    @Test("a long form waits in the space that it is given, and is whole when it comes from there")
    func space() async throws {
        let made = LockedBox(0)
        let uploads = PageUploads {
            made.withLock { $0 += 1 }
            return Space(room: 10_000_000)
        }
        let (short, long) = (try id(1), try id(2))
        let begun = [await begin(uploads, short, HeldForm.greatestInMemory), await begin(uploads, long, Self.long)]
        #expect(await send(uploads, short, HeldForm.greatestInMemory))
        #expect(await send(uploads, long, Self.long))
        #expect(made.withLock { $0 } == 1)
        let form = try #require(try claim(uploads, long))
        let content = try await collect(form)
        #expect(content.count == Int(Self.long) && content.last == 4 && content[1_048_576] == 1)
        #expect(try claim(uploads, short, type: "another") != nil)
        for task in begun { #expect(await task.value == 200) }
    }

    struct Limit: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var length: Int64
        var uploads: @Sendable () -> PageUploads
    }

    @Test(
        "a form for which there is no room is refused with the reason, and nothing of it is sent",
        arguments: [
            Limit(testDescription: "no space at all", length: long) { PageUploads() },
            Limit(testDescription: "no space to be had", length: long) { PageUploads { throw NoRoom() } },
            Limit(testDescription: "a full disk", length: long) { PageUploads { Space(room: 2_000_000) } },
            Limit(testDescription: "longer than what is kept", length: 101) { PageUploads(greatestHeld: 100) },
            Limit(testDescription: "a length that is none", length: .max) { PageUploads { Space(room: 1) } },
        ])
    func limits(_ row: Limit) async throws {
        let (uploads, id) = (row.uploads(), try id())
        let begun = await begin(uploads, id, row.length)
        #expect(await !send(uploads, id, min(row.length, Self.long)))
        #expect(await begun.value == 0)
        await uploads.forms.release(at: Self.url)
        #expect(throws: SchemeTaskError.self) { try claim(uploads, id) }
        #expect(await status(uploads, .hold(try self.id(1), length: 0)) == 0)
        #expect(await status(uploads, .hold(try self.id(1), length: -1)) == 0)
    }

    @Test("forms that were sent make room for later ones; those that pages still send do not")
    func flood() async throws {
        let uploads = PageUploads(greatestHeld: 8)
        var begun: [Task<Int, Never>] = []
        for number in 0..<20 {
            let id = try id(number)
            begun.append(Task { await status(uploads, .hold(id, length: 1)) })
            while !uploads.forms.hasUnclaimed(at: Self.url) { await Task.yield() }
            #expect(await status(uploads, .piece(id, number: 0), [1]) == 200)
            #expect(try claim(uploads, id, type: "type \(number)") != nil)
        }
        for task in begun { #expect(await task.value == 200) }
        #expect(uploads.count == HeldForms.greatestCount)
        var open: [Task<Int, Never>] = []
        for number in 20..<28 {
            let id = try id(number)
            open.append(Task { await status(uploads, .hold(id, length: 1)) })
            while await status(uploads, .piece(id, number: 0), [1]) == 0 { await Task.yield() }
        }
        #expect(await status(uploads, .hold(try id(99), length: 1)) == 0)
        for task in open { task.cancel() }
        for task in open { #expect(await task.value == 0) }
        #expect(uploads.count == 0)
    }

    // MARK: With a request

    @Test("RFC 9110 §15.4.8: a redirect gets the content once more, whatever its length", arguments: [3, long])
    func redirect(_ length: Int64) async throws {
        let bench = ResponderBench()
        let (uploads, id) = (PageUploads { Space(room: 10_000_000) }, try id())
        let received = LockedBox<[Int]>([])
        for (path, location) in [("upload", "/next"), ("next", nil as String?)] {
            bench.transport.on("https://page.test/\(path)") { request in
                let body = try #require(request.body)
                #expect(body.length == length)
                let bytes = try await ResponseBody.stream(body.source, length: nil).collect(upTo: .mebibytes(8))
                received.withLock { $0.append(bytes.count) }
                guard let location else { return ScriptedTransport.answer(200, body: "done") }
                return ScriptedTransport.answer(307, [.location: location])
            }
        }
        let begun = await begin(uploads, id, length)
        #expect(await send(uploads, id, length))
        let form = try #require(try claim(uploads, id))
        #expect(await begun.value == 200)
        let answer = try await bench.result(
            of: bench.responder.answer(
                RequestEvidence(
                    method: .post, url: Self.url,
                    fields: [
                        FetchField.secFetchMode: "cors", .secFetchDest: "empty",
                        FetchField.secFetchSite: "same-origin", .origin: "https://page.test",
                    ], topLevelURL: "https://page.test/", navigation: RequestEvidence.Navigation.none), .form(form)))
        #expect(answer.text == "done")
        #expect(received.withLock { $0 } == [Int(length), Int(length)])
    }
}
