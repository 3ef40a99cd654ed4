import CacheTesting
import Testing

@testable import PageScripts
@testable import SchemeTasks

@Suite("What uploads hold in memory, all together", .timeLimit(.minutes(5)))
struct UploadMemoryTests {
    private func upload(_ length: Int64, _ waiting: UploadMemory, _ keeping: UploadMemory) throws -> PageUpload {
        let id = try #require(UploadID(String(repeating: "a", count: 16)))
        return PageUpload(
            id, url: "https://page.test/", length: length, isForm: false, waiting: waiting, keeping: keeping)
    }

    @Test("a share is given back when nobody holds it; more than there is, is not given, nor less than nothing")
    func shares() {
        let memory = UploadMemory(5)
        var share = memory.share(3)
        #expect(share != nil && memory.share(3) == nil && memory.share(2) != nil && memory.share(-1) == nil)
        share = nil
        #expect(memory.share(5) != nil && memory.share(.max) == nil)
    }

    @Test("content is kept for a redirect while there is memory for it, and after the upload there is again")
    func keeping() throws {
        let (waiting, keeping) = (UploadMemory(100), UploadMemory(5))
        var first: PageUpload? = try upload(4, waiting, keeping)
        #expect(first?.isKept == true)
        #expect(try !upload(4, waiting, keeping).isKept)
        first?.fail()
        #expect(try upload(5, waiting, keeping).isKept)
        first = nil
        #expect(keeping.share(5) != nil)
    }

    @Test("an upload fails whose piece finds too little; what waits goes on, and gives back what it took")
    func waiting() async throws {
        let (waiting, keeping) = (UploadMemory(3), UploadMemory(100))
        let (first, second) = (try upload(4, waiting, keeping), try upload(4, waiting, keeping))
        let given = Task { await first.give([1, 2], number: 0) }
        while waiting.share(2) != nil { await Task.yield() }
        #expect(await second.give([1, 2], number: 0) == .failed)
        #expect(try await first.makeSource().next() == [1, 2])
        #expect(await given.value == .taken)
        #expect(waiting.share(3) != nil)
    }
}
