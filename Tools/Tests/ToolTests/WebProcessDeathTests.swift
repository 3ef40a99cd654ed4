import CacheTesting
import Foundation
import Glibc
import HTTPCacheSemantics
import LarderHost
import Locking
import NIOHTTP1
import ResponseStore
import Testing
import WebVisit

/// The web process killed while a page loads. When, the origin decides: at an octet of an answer, by the seed.
@Suite("a real web view whose web process is killed at random moments", .serialized, .timeLimit(.minutes(600)))
struct WebProcessDeathTests {
    let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private static let kills = ProcessInfo.processInfo.environment["LARDER_NAVIGATIONS"] == nil ? 30 : 200
    private static let stopped = "This page has stopped"

    @Test(
        "the page is loaded again once, or says that it has stopped; nothing stored is mixed, and no task stays open",
        arguments: [InterceptionMode.appScheme, .httpsScheme])
    func killed(_ mode: InterceptionMode) async throws {
        var dice = SplitMix64(seed: 1)
        let site = MortalSite()
        let scene = try await SessionScene(folder, mode, quietMilliseconds: 20, { await site.answer($0) })
        let process = ProcessFigures(process: scene.session.processIdentifier)
        site.onMoment { for child in process.children(named: "WebKitWebProcess") { kill(child, SIGKILL) } }
        var (load, killed) = (0, 0)
        while killed < Self.kills {
            load += 1
            site.begin(at: (0..<(dice.next() % 5 == 0 ? 2 : 1)).map { _ in .random(&dice) })
            try await scene.session.perform(.open(url: "https://shop.test/page/\(load)"))
            let (title, bodies) = try await look(load, scene)
            let kills = site.end()
            killed += kills
            let endings = scene.session.takeNotices().map { notice in
                guard case .processEnded(let reason, let recovery) = notice else { return "\(notice)" }
                return "\(reason), \(recovery)"
            }
            let expected = Array(["crashed, reload", "crashed, died-again"].prefix(kills))
            #expect(endings == expected, "load \(load)")
            #expect(title == (kills == 2 ? Self.stopped : "page \(load)"), "load \(load), \(kills) kills")
            for body in bodies { #expect(VersionedContent.read(body) != nil, "load \(load): \(body.prefix(80))…") }
            #expect(bodies.count == (kills == 2 ? 0 : MortalSite.resources))
            _ = scene.session.takeExchanges()
        }
        #expect(load < killed * 2, "most moments were not met")
        try await scene.session.perform(.open(url: "about:blank"))
        var openTasks = -1
        for _ in 0..<200 where openTasks != 0 {
            openTasks = try await scene.session.perform(.run(script: "return 0")).openTasks
        }
        #expect(openTasks == 0)
        await scene.stop()
        try await expectWholeContent()
    }

    @Test("a form is sent once, whether the web process dies before or after its answer", arguments: [false, true])
    func form(_ isAnswered: Bool) async throws {
        let process = LockedBox<ProcessFigures?>(nil)
        let scene = try await SessionScene(folder, .appScheme) { request in
            if request.path == "/" {
                return .page("form", "<form method=post action=/sent><input name=a value=b></form>")
            }
            if !isAnswered {
                for child in process.withLock({ $0 })?.children(named: "WebKitWebProcess") ?? [] {
                    kill(child, SIGKILL)
                }
            }
            return .page("sent")
        }
        process.withLock { $0 = ProcessFigures(process: scene.session.processIdentifier) }
        _ = try await scene.open("https://shop.test/")
        _ = try await scene.run("document.forms[0].submit(); return 0")
        if isAnswered {
            #expect(try await scene.run("return document.title") == "\"sent\"")
            try await scene.session.perform(.endWebProcess)
        }
        // What was answered stays away; where nothing had come of an answer, the page with the form is there again.
        #expect(try await scene.run("return document.title") == (isAnswered ? "\"\(Self.stopped)\"" : "\"form\""))
        let recoveries = scene.session.takeNotices().map { notice in
            if case .processEnded(_, let recovery) = notice { recovery } else { "\(notice)" }
        }
        #expect(recoveries == [isAnswered ? "nothing-to-reload" : "reload"])
        #expect(scene.origin.asked == ["shop.test/", "shop.test/sent"] + (isAnswered ? [] : ["shop.test/"]))
        await scene.stop()
    }

    /// What the page says in the end; the process may be killed while it is asked.
    private func look(_ load: Int, _ scene: SessionScene) async throws -> (title: String, bodies: [String]) {
        struct Page: Decodable {
            var title: String
            var bodies: [String]
        }
        var seen = ""
        for _ in 0..<50 {
            seen = try await scene.run(
                "return {title: document.title, bodies: typeof done === 'undefined' ? [] : await done}")
            if let page = try? JSONDecoder().decode(Page.self, from: Data(seen.utf8)) {
                return (page.title, page.bodies)
            }
        }
        Issue.record("load \(load): \(seen)")
        return ("", [])
    }

    /// Reads all that is stored: whole contents are whole, and parts are parts of one version.
    private func expectWholeContent() async throws {
        let store = try DiskResponseStore(directory: folder.store, budget: StoreBudget(total: .mebibytes(1_024)))
        var whole = 0
        for summary in try await store.summaries(of: .everything, after: nil, limit: 10_000)
        where summary.key.uri.contains("/body/") {
            for entry in try await store.entries(for: summary.key) {
                let content = try await store.open(entry)
                let bytes = try content.read(from: 0, upTo: Int(content.length.bytes))
                switch entry.response.extent {
                case .complete:
                    #expect(VersionedContent.read(String(decoding: bytes, as: UTF8.self)) != nil, "\(summary.key)")
                    whole += 1
                case .partial(let ranges, _):
                    #expect(MortalSite.isPart(bytes, ranges, of: entry.response.fields[.eTag]), "\(summary.key)")
                }
            }
        }
        #expect(whole > Self.kills)
    }
}

/// Pages with contents that say what they are, of which some change from answer to answer.
private final class MortalSite: Sendable {
    /// When a process is killed: before the first octet of an answer or behind one of its octets.
    struct Moment: Sendable {
        /// From the requests since the moment before.
        var request: Int
        /// In thousandths of the content; before the head where negative.
        var place: Int

        static func random(_ dice: inout SplitMix64) -> Moment {
            Moment(request: Int(dice.next() % 9), place: Int(dice.next() % 1_100) - 100)
        }
    }

    private struct State {
        var moments: [Moment] = []
        var requests = 0
        var kills = 0
        /// Whether the document was asked for since the last kill, by a process that runs then. WebKitGTK 2.50 ends the
        /// program when a web process dies before it has said hello.
        var isRunning = false
        var kill: @Sendable () -> Void = {}
        var dice = SplitMix64(seed: 2)
        var versions: [String: Int] = [:]
    }

    /// The contents of a page.
    static let resources = 6
    private static let pieces = [64, 256, 1_024, 2_048, 4_096, 16_384]
    private let state = LockedBox(State())

    func onMoment(_ kill: @escaping @Sendable () -> Void) { state.withLock { $0.kill = kill } }

    func begin(at moments: [Moment]) {
        state.withLock { ($0.moments, $0.requests, $0.kills, $0.isRunning) = (moments, 0, 0, false) }
    }

    /// - Returns: How often the process was killed.
    func end() -> Int {
        state.withLock { state in
            state.moments = []
            return state.kills
        }
    }

    /// The moment, if this request is the one of it.
    private func moment(_ request: PageOrigin.Request) -> Moment? {
        state.withLock { state in
            if request.path.hasPrefix("/page/") { state.isRunning = true }
            guard state.isRunning, let next = state.moments.first else { return nil }
            state.requests += 1
            guard state.requests > next.request else { return nil }
            state.moments.removeFirst()
            (state.requests, state.isRunning) = (0, false)
            return next
        }
    }

    private func killNow() {
        let kill = state.withLock { state in
            state.kills += 1
            return state.kill
        }
        kill()
    }

    func answer(_ request: PageOrigin.Request) async -> PageOrigin.Answer {
        let moment = moment(request)
        if let moment, moment.place < 0 { killNow() }
        var answer = content(request)
        guard let moment, moment.place >= 0 else { return answer }
        let place = answer.body.utf8.count * moment.place / 1_000
        let rest = String(answer.body.dropFirst(place))
        answer.body = String(answer.body.prefix(place))
        answer.fields.replaceOrAdd(name: "Content-Length", value: String(place + rest.utf8.count))
        answer.rest = { [self] in
            killNow()
            return rest
        }
        return answer
    }

    private func content(_ request: PageOrigin.Request) -> PageOrigin.Answer {
        let parts = request.path.split(separator: "/").map(String.init)
        guard parts.count >= 2, let number = Int(parts[1]) else { return .notFound }
        if parts[0] == "page" { return .page("page \(number)", Self.page(number), ["Cache-Control": "no-cache"]) }
        guard parts[0] == "body" else { return .notFound }
        let whole = VersionedContent(
            name: parts[1], version: version(of: request.path), pieces: Self.pieces[number % Self.pieces.count])
        let tag = "\"\(whole.name)-\(whole.version)-\(whole.pieces)\""
        let control = ["max-age=600", "no-cache", "no-store"][number % 3]
        let fields: HTTPHeaders = ["ETag": tag, "Cache-Control": control, "Content-Type": "text/plain"]
        if request.fields["If-None-Match"].contains(tag) { return .init(status: 304, fields: fields) }
        return Self.part(of: .init(fields: fields, body: whole.text), request, tag)
    }

    /// One range from somewhere to the end, as an interrupted transfer is gone on with; RFC 9110 §13.1.5, §14.2.
    private static func part(of answer: PageOrigin.Answer, _ request: PageOrigin.Request, _ tag: String)
        -> PageOrigin.Answer
    {
        let bounds = request.fields.first(name: "Range")?.dropFirst("bytes=".count).split(separator: "-")
        guard let bounds, bounds.count == 1, let start = Int(bounds[0]), start < answer.body.utf8.count,
            request.fields.first(name: "If-Range") ?? tag == tag
        else { return answer }
        var part = answer
        part.status = 206
        part.fields.add(
            name: "Content-Range", value: "bytes \(start)-\(answer.body.utf8.count - 1)/\(answer.body.utf8.count)")
        part.body = String(answer.body.dropFirst(start))
        return part
    }

    /// Every third answer is of a new version.
    private func version(of path: String) -> Int {
        state.withLock { state in
            if state.dice.next() % 3 == 0 { state.versions[path, default: 0] += 1 }
            return state.versions[path, default: 0]
        }
    }

    /// Whether stored parts are those of the content that a tag names.
    static func isPart(_ bytes: [UInt8], _ ranges: [Range<Int64>], of tag: String?) -> Bool {
        let words = tag?.split(whereSeparator: { $0 == "-" || $0 == "\"" }) ?? []
        guard words.count == 3, let version = Int(words[1]), let pieces = Int(words[2]) else { return false }
        let whole = Array(VersionedContent(name: String(words[0]), version: version, pieces: pieces).text.utf8)
        return bytes == ranges.flatMap { Array(whole[Int($0.lowerBound)..<Int($0.upperBound)]) }
    }

    /// A page whose contents are asked for side by side. Every third page has contents of its own.
    private static func page(_ number: Int) -> String {
        """
        <script>
        window.done = Promise.all([0, 1, 2, 3, 4, 5].map(number =>
          fetch(`/body/${number}/\(number / 3)`).then(answer => answer.text())));
        </script>
        """
    }
}
