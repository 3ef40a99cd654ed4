import CacheTesting
import Testing

extension PreloadCommandTests {
    @Test(
        "a signed head turns hosts and modes off, and on again; explain, open and preload go by it",
        .timeLimit(.minutes(5)))
    func turnedOff() async throws {
        let origin = try await serve()
        _ = try await larder(["manifest", "keygen", keys])
        try await build(origin)
        #expect(try await preload(origin).status == 0)
        let page = "http://127.0.0.1:\(origin.port)/"
        func turn(off names: String...) async throws -> ToolProcess.Output {
            try await larder(
                ["manifest", "change", site + "/larder", "--key", keys + "/current.key"]
                    + names.flatMap { ["--turn-off", $0] })
        }
        func open(_ more: String...) async throws -> ToolProcess.Output {
            try await larder(["open", page, "--store", folder.store, "--verbose"] + more)
        }
        func explain() async throws -> String {
            try await larder(["explain", page + "assets/index-BX3kTQ9a.js", "--store", folder.store]).out
        }
        #expect(try await explain().contains("Answered from the store"))
        let changed = try await turn(off: "127.0.0.1", "appScheme")
        #expect(changed.out.contains("turned off in apps: 127.0.0.1, appScheme"), "\(changed)")
        let before = origin.asked.count
        let host = try await preload(origin)
        #expect(host.out.contains("turned off: 127.0.0.1, appScheme; no file of it is fetched (2 in all)"), "\(host)")
        #expect(!host.out.contains("change the rule") && !host.out.contains("lacks"), "\(host)")
        #expect(origin.asked.count == before + 1, "the head alone: \(origin.asked)")
        let stats = try await larder(["store", "stats", "--store", folder.store])
        #expect(stats.out.contains("turned off by a manifest, and not used: 127.0.0.1, appScheme"), "\(stats)")
        let offline = try await open("--offline")
        #expect(
            offline.status == 1 && offline.out.contains("rule 'turned-off' lets nothing stored answer"), "\(offline)")
        #expect(try await explain().contains("turned-off"))
        let asked = origin.asked.count
        let past = try await open()
        #expect(past.status == 0 && past.err.isEmpty && origin.asked.count > asked + 1, "\(past)")
        let off = "Its publisher has turned its host off, by a signed manifest."
        #expect(past.out.contains(off), "\(past)")
        let refreshed = try await larder(["store", "refresh", page, "--store", folder.store])
        #expect(refreshed.out.hasSuffix("not stored. \(off)\n"), "\(refreshed)")
        _ = try await turn(off: "proxy")
        #expect(try await preload(origin).out.contains("turned off: proxy"))
        let none = try await open()
        #expect(none.status == 0 && none.err.contains("The mode proxy is not used: The publisher"), "\(none)")
        #expect(none.out.contains("all past Larder"), "\(none)")
        let unused = try await open("--offline")
        #expect(unused.status == 2 && unused.err.contains("Without it there is no --offline"), "\(unused)")
        _ = try await turn(off: "none")
        let on = try await preload(origin)
        #expect(on.status == 0 && !on.out.contains("turned off:"), "\(on)")
        #expect(try await explain().contains("Answered from the store"))
        for name in ["https://shop.example/", "nonE", "shop.example:8443", "shop.example.", "a..b", ""] {
            let refused = try await turn(off: name)
            #expect(refused.status == 2 && refused.err.contains("is neither a mode"), "\(refused)")
        }
        #expect(try await turn(off: "none", "proxy").status == 2)
        await origin.stop()
    }
}
