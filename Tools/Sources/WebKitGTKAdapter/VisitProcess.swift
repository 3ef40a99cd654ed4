import CWebKitGTK
import CacheEngine
import ChildPrograms
import Glibc
import PageScripts
import WebVisit

/// The web-view process: commands in, one visit or one session, events out.
///
/// A visit has a process of its own, so every visit has a new web process; and, unless it names a directory, a data
/// store that was empty before and is deleted afterwards. A session has one as well, and makes many navigations.
@MainActor
package final class VisitProcess {
    /// Calls its argument while WebKit lets a scheme handler have `https` and `http`.
    package typealias Unlock = @MainActor (_ register: () -> Void) -> Void
    /// Opens the cache of a session; its exchanges are reported to the observer.
    package typealias CacheOpening =
        @Sendable (SessionCacheRequest, any ExchangeObserver) throws(VisitFailure) -> SessionCache

    private let streams: StandardStreams
    private let unlock: Unlock?
    private let openCache: CacheOpening
    private var session: Session?
    private var commandReader: DescriptorReader?
    private var outputReader: DescriptorReader?
    private var commandLines = LineBuffer(limit: OutputPipe.lineLimit)
    private var console = ConsoleReader()
    private var page: WebPage?
    private var dataDirectory: DataDirectory?
    private var exitStatus: Int32?
    /// Whether a session was told to end.
    private var isEnding = false

    private init(_ streams: StandardStreams, _ unlock: Unlock?, _ openCache: @escaping CacheOpening) {
        self.streams = streams
        self.unlock = unlock
        self.openCache = openCache
    }

    /// Serves the commands on standard input until the visit is over.
    ///
    /// Takes over the standard descriptors and the environment of the process. Call from `main`, before anything else,
    /// on the main thread, once.
    ///
    /// - Parameter unlock: `nil` where WebKit never lets a scheme handler have `https`.
    /// - Returns: The exit status: 0 if the visit or the session finished, 1 if it failed.
    package static func run(unlock: Unlock? = nil, openCache: @escaping CacheOpening) -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        // No accessibility bus, and no GPU: neither exists under Xvfb. A value set by the tool wins.
        setenv("NO_AT_BRIDGE", "1", 0)
        setenv("WEBKIT_DISABLE_COMPOSITING_MODE", "1", 0)
        do {
            let process = VisitProcess(try StandardStreams(), unlock, openCache)
            process.listen()
            MainLoop.run()
            if let directory = process.dataDirectory, directory.isKept {
                HelperProcesses.endOnTheirOwn()
            } else {
                HelperProcesses.end()
                process.dataDirectory?.remove()
            }
            return process.exitStatus ?? 1
        } catch {
            if let line = try? JSONLine.encode(VisitEvent.failed(error)) { StandardStreams.write(Array(line), to: 1) }
            return 1
        }
    }

    private func listen() {
        outputReader = DescriptorReader(streams.output) { [unowned self] in readOutput($0) }
        commandReader = DescriptorReader(
            streams.commands,
            received: { [unowned self] bytes in
                for line in commandLines.append(bytes) where !line.bytes.isEmpty { obey(line) }
                if commandLines.omitted > 0 { failForLength() }
            },
            ended: { [unowned self] in
                // A session that was told to end goes on to its end; one whose parent is gone waits for no step.
                guard !isEnding else { return }
                fail(VisitFailure(code: .cancelled, message: "The commands ended before the visit did."))
            })
        for number in [SIGTERM, SIGINT, SIGHUP] {
            _ = g_unix_signal_add(
                number,
                { data in
                    CallbackOwner(data)(VisitProcess.self, otherwise: 0) {
                        $0.fail(VisitFailure(code: .cancelled, message: "A signal asked the process to end."))
                        return 0
                    }
                }, Unmanaged.passUnretained(self).toOpaque())
        }
    }

    /// Console messages are kept; whatever else the helper processes say goes to the people who read diagnostics.
    private func readOutput(_ bytes: [UInt8]) {
        for line in console.read(bytes) { StandardStreams.write(line + [0x0A], to: streams.diagnostics) }
    }

    // MARK: Commands

    private func failForLength() {
        let limit = OutputPipe.lineLimit >> 20
        fail(VisitFailure(code: .badRequest, message: "A command is longer than \(limit) MiB."))
    }

    private func obey(_ line: LineBuffer.Line) {
        guard exitStatus == nil else { return }
        guard line.omitted == 0 else { return failForLength() }
        do {
            switch try JSONLine.decode(VisitCommand.self, from: line.bytes) {
            case .visit(let request): try begin(request)
            case .clear(let clearing): try clear(clearing)
            case .session(let request): try begin(request)
            case .step(let command):
                guard let session else {
                    throw VisitFailure(code: .badRequest, message: "Steps belong to a session; begin one first.")
                }
                session.take(command)
            case .end: endSession()
            case .trust(let trust):
                guard let page else {
                    throw VisitFailure(code: .badRequest, message: "The first command must be a visit.")
                }
                Task { await acknowledge(trust, on: page) }
            }
        } catch let failure as VisitFailure {
            fail(failure)
        } catch {
            fail(VisitFailure(code: .badRequest, message: "A command could not be understood: \(error)"))
        }
    }

    private func begin(_ request: VisitRequest) throws(VisitFailure) {
        let page = try open(request)
        let visit = Visit(request, page: page, console: messages)
        Task {
            do throws(VisitFailure) { finish(with: .finished(try await visit.run()), status: 0) } catch { fail(error) }
        }
    }

    /// The console's messages up to now.
    private var messages: () -> [ConsoleMessage] {
        { [unowned self] in
            outputReader?.drain()
            return console.messages
        }
    }

    private func begin(_ request: SessionRequest) throws(VisitFailure) {
        let streams = streams
        let cache = try request.cache.map { request throws(VisitFailure) in
            try openCache(request, ExchangeSender { streams.send(.exchange($0)) })
        }
        guard cache != nil || !request.mode.hasHandler else {
            throw VisitFailure(code: .badRequest, message: "The mode \(request.mode.rawValue) needs a cache.")
        }
        let page = try open(request.view, usesPageCache: request.usesPageCache)
        let session = try Session(
            request, page: page, cache: cache, unlock: unlock, console: messages,
            forgetConsole: { [unowned self] in
                outputReader?.drain()
                console.forget()
            }, send: { streams.send($0) })
        self.session = session
        Task {
            do throws(VisitFailure) {
                for leaf in request.view.trusted { try await page.trust(leaf) }
                if request.mode.usesAppScheme {
                    try await page.addRules([MixedContentRules.ofPages, MixedContentRules.ofFrames])
                }
                streams.send(.ready)
            } catch {
                fail(error)
            }
        }
    }

    private func endSession() {
        isEnding = true
        Task {
            await session?.end()
            exitStatus = exitStatus ?? 0
            MainLoop.quit()
        }
    }

    private func open(_ request: VisitRequest, usesPageCache: Bool = false) throws(VisitFailure) -> WebPage {
        try expectNothingBegun()
        let sides = 1...VisitRequest.greatestSide
        guard sides.contains(request.width), sides.contains(request.height) else {
            throw VisitFailure(code: .badRequest, message: "The width and the height must be between 1 and 8192.")
        }
        guard gtk_init_check(nil, nil) != 0 else {
            throw VisitFailure(
                code: .noDisplay,
                message: "There is no display to paint on. Install Xvfb (Debian: apt-get install xvfb), start it, "
                    + "and set DISPLAY, for example with xvfb-run.")
        }
        let dataDirectory = try DataDirectory(for: request)
        self.dataDirectory = dataDirectory
        let page = try WebPage(request, dataDirectory: dataDirectory, usesPageCache: usesPageCache)
        self.page = page
        return page
    }

    private func clear(_ clearing: WebsiteDataClearing) throws(VisitFailure) {
        try expectNothingBegun()
        guard let path = clearing.dataDirectory else {
            throw VisitFailure(code: .badRequest, message: "The data directory is missing that is to be cleared.")
        }
        guard access(path, F_OK) == 0 else {
            throw VisitFailure(code: .badRequest, message: "There is no data directory '\(path)' to be cleared.")
        }
        let directory = try DataDirectory(kept: path)
        dataDirectory = directory
        let data = try WebsiteData(in: directory)
        Task {
            do throws(VisitFailure) {
                try await data.clear(clearing)
                finish(with: .cleared, status: 0)
            } catch {
                fail(error)
            }
        }
    }

    private func expectNothingBegun() throws(VisitFailure) {
        guard page == nil, dataDirectory == nil else {
            throw VisitFailure(code: .badRequest, message: "There is one visit a process; start another process.")
        }
    }

    private func acknowledge(_ trust: TrustRequest, on page: WebPage) async {
        do throws(VisitFailure) {
            try await page.trust(TrustedLeaf(host: trust.host, certificatePEM: trust.certificatePEM))
            if exitStatus == nil { streams.send(.trusted(id: trust.id)) }
        } catch {
            fail(error)
        }
    }

    // MARK: The end

    private func fail(_ failure: VisitFailure) { finish(with: .failed(failure), status: 1) }

    /// Sends the last event; only the first call counts.
    private func finish(with event: VisitEvent, status: Int32) {
        guard exitStatus == nil else { return }
        exitStatus = status
        streams.send(event)
        MainLoop.quit()
    }
}
