import CacheEngine
import CacheTesting
import Foundation
import LarderKit
import Testing

/// For whom responses are kept, which are removed, and which stay.
@Suite("Accounts, selections and pins", .timeLimit(.minutes(5)))
struct KeepingTests {
    private static let page = URL(test: "https://shop.example/")
    private static let fresh: HTTPFields = [.cacheControl: "max-age=600", .contentType: "text/html"]

    private func temporary(
        budget: StoreBudget = StoreBudget(), _ body: (Larder, ScriptedTransport) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let transport = ScriptedTransport()
        var configuration = LarderConfiguration(directory: URL(fileURLWithPath: directory.store))
        configuration.budget = budget
        try await body(try Larder(configuration, transport: transport), transport)
    }

    private func count(_ larder: Larder) async throws -> Int {
        let usage = try await larder.usage
        return usage.responses
    }

    @Test("nobody in particular is nil, and the empty text means the same; nobody is signed out by it")
    func nobody() async throws {
        try await temporary { larder, _ in
            #expect(larder.account == nil)
            try await larder.store(Data("of nobody".utf8), for: Self.page, fields: Self.fresh)
            larder.account = ""
            #expect(larder.account == nil)
            #expect(try await larder.text("https://shop.example/") == "of nobody")
            larder.account = "anna"
            #expect(try await !larder.isAvailableOffline(Self.page))
            #expect(try await larder.logOut("").entries == 0)
            #expect(larder.account == "anna")
            larder.account = nil
            #expect(try await larder.isAvailableOffline(Self.page))
        }
    }

    /// Makes web views' data of nothing, and remembers what was asked.
    private struct NoWebsiteData: WebsiteDataStore {
        enum Kind { case cookies }
        func removeData(of kinds: Set<Kind>, host: String?, since: WallInstant?) async throws {
            if kinds.isEmpty { throw EngineError(code: .invalidRequest, message: "This would mean all.") }
        }
    }

    @Test("a selection that says nothing by accident removes nothing, also with a date; everything is its own call")
    func emptySelections() async throws {
        try await temporary { larder, _ in
            try await larder.store(Data([1]), for: Self.page, fields: Self.fresh)
            let none: String? = nil
            for selection in [
                EntrySelection(), EntrySelection(host: none), EntrySelection(uri: none, partition: none, tag: none),
                EntrySelection(host: ""), EntrySelection(tag: ""), EntrySelection(contentType: ""),
            ] {
                #expect(try await larder.remove(selection).entries == 0, "\(selection)")
                for kinds in [[], [.cookies]] as [Set<NoWebsiteData.Kind>] {
                    let removed = try await larder.clear(
                        selection, and: kinds, in: NoWebsiteData(), since: WallInstant(unixSeconds: 0))
                    #expect(removed.entries == 0, "\(selection)")
                }
            }
            #expect(try await count(larder) == 1)
            #expect(try await larder.removeAll().entries == 1)
            #expect(try await count(larder) == 0)
        }
    }

    @Test("what is set by hand about the network is taken back where it was set")
    func override() async throws {
        let directory = try TemporaryDirectory()
        let source = ScriptedConnectivity(Connectivity(isExpensive: true))
        var configuration = LarderConfiguration(directory: URL(fileURLWithPath: directory.store))
        configuration.connectivitySource = source
        let larder = try Larder(configuration, transport: ScriptedTransport())
        #expect(larder.connectivityOverride == nil && larder.connectivity.isExpensive)
        larder.connectivityOverride = .disconnected
        #expect(larder.connectivity == .disconnected)
        larder.connectivityOverride = nil
        #expect(larder.connectivityOverride == nil && larder.connectivity.isExpensive)
    }

    @Test("what is pinned stays when space is needed; pinning twice is pinning once, and each account has its own")
    func pins() async throws {
        try await temporary { larder, _ in
            #expect(try await !larder.pin(Self.page))
            try await larder.store(Data([1]), for: Self.page, fields: Self.fresh)
            for _ in 1...2 { #expect(try await larder.pin(Self.page)) }
            larder.account = "anna"
            #expect(try await !larder.pin(Self.page))
            larder.account = nil
            #expect(try await larder.remove(EntrySelection(isPinned: false)).entries == 0)
            try await larder.unpin(Self.page)
            #expect(try await larder.remove(EntrySelection(isPinned: true)).entries == 0)
            #expect(try await larder.remove(EntrySelection(isPinned: false)).entries == 1)
            await #expect(throws: EngineError.self) { try await larder.pin(URL(test: "ftp://shop.example/")) }
        }
    }

    @Test("a pinned response outlives what is stored after it beyond the budget")
    func evicting() async throws {
        try await temporary(budget: StoreBudget(total: .kibibytes(64))) { larder, _ in
            func store(_ path: String) async throws {
                let content = Data((0..<8_192).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ path.count) })
                try await larder.store(content, for: URL(test: Self.page.absoluteString + path), fields: Self.fresh)
            }
            try await store("kept")
            try await larder.pin(URL(test: Self.page.absoluteString + "kept"))
            try await store("other")
            for number in 0..<40 { try await store("more" + String(repeating: "x", count: number)) }
            #expect(try await larder.isAvailableOffline(URL(test: Self.page.absoluteString + "kept")))
            #expect(try await !larder.isAvailableOffline(URL(test: Self.page.absoluteString + "other")))
        }
    }
}
