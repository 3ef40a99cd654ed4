import CacheEngine
import CacheRules
import Dashboard
import DemoSite
import Fetching
import Foundation
import WebVisit

/// The main job, shown: one page in a real web view, cold, warm, offline and after a deploy, with and without Larder.
package final class DemoRun: Sendable {
    private let options: DemoOptions
    private let directory: String
    private let progress: @Sendable (String) -> Void

    /// - Parameter progress: Gets a line before each step.
    package init(_ options: DemoOptions, progress: @escaping @Sendable (String) -> Void) throws {
        self.options = options
        self.progress = progress
        directory =
            options.workDirectory
            ?? FileManager.default.temporaryDirectory.appendingPathComponent("larder-demo-\(UUID().uuidString)").path
        do {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw HostError(code: .badUse, message: "The folder '\(directory)' can't be made.", cause: error)
        }
        guard !FileManager.default.fileExists(atPath: directory + "/store") else {
            throw HostError(
                code: .badUse,
                message: "The folder '\(directory)' holds the store of an earlier run, so no visit would be cold; "
                    + "choose an empty one.")
        }
    }

    /// Makes all visits and returns what they showed.
    package func run() async throws -> VisitReport {
        defer { if options.workDirectory == nil { try? FileManager.default.removeItem(atPath: directory) } }
        let display = try await Display.find()
        defer { display.stop() }
        var runs: [VisitReport] = []
        var report: VisitReport
        repeat {
            let folder = runs.isEmpty ? directory : "\(directory)/run-\(runs.count + 1)"
            if options.runs > 1 { progress("run \(runs.count + 1)") }
            let run =
                if let url = options.url {
                    try await visitForeign(url, in: folder, display: display)
                } else {
                    try await visitBundled(in: folder, display: display)
                }
            runs.append(run)
            report = VisitReport(medianOf: runs) ?? run
        } while runs.count < options.runs || runs.count < options.runs + 2 && report.unsteadiness > Self.noise
        if runs.count > 1 { report.conditions.append(Self.words(runs.count, report.unsteadiness)) }
        return report
    }

    static let deployed = "after a deploy"
    /// Visits on a network that has a fault bear its name.
    static let faults = Set([LineFault.silent, .closing, .trickling, .lossy].map(\.rawValue))

    /// Times that differ by more from their median say nothing.
    private static let noise = 0.25

    private static func words(_ runs: Int, _ unsteadiness: Double) -> String {
        let words = "Times are medians of \(runs) runs, ± half of what lies between the least and the greatest."
        return unsteadiness > noise
            ? words + " They differ too much to compare: the machine does other work. Run it again on a quiet one."
            : words
    }

    /// Writes a report as HTML; its folder is made.
    package static func write(_ report: VisitReport, to path: String) throws {
        let file = URL(fileURLWithPath: path)
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(HTMLReport(report).render().utf8).write(to: file)
        } catch {
            throw HostError(
                code: .badUse,
                message: "The report can't be written to '\(path)'; choose another --report.",
                cause: error)
        }
    }

    // MARK: The bundled site

    private func visitBundled(in directory: String, display: Display) async throws -> VisitReport {
        progress("building the sample site and starting its origin (60 ms away, 12 Mbit/s)")
        // A page at the app scheme reaches Larder by relative addresses alone, so its site is all on one host.
        let hosts = options.mode.usesAppScheme ? DemoHosts(cdn: DemoHosts().shop) : DemoHosts()
        let stage = try await DemoStage.start(
            in: directory, hosts: hosts, otherFiles: options.filesPreloadedMeanwhile)
        let visitors = try await DemoVisitors.start(
            options, directory: directory, hostMap: stage.hostMap, authorities: stage.authorityFile, display: display)
        let larder = try await visitors.larder(.visited)
        var outcomes: [VisitOutcome] = []
        func visit(
            _ name: String, in store: DemoVisitors.Store = .visited, by larder: any DemoVisitor, upload: Bool = false,
            _ connectivity: Connectivity = .connected
        ) async throws {
            for usesLarder in options.hasControl ? [true, false] : [true] {
                progress("\(name), \(usesLarder ? "through Larder" : "without it")")
                _ = stage.takeLog()
                var request = request(DemoStage.url, name, store, usesLarder, in: directory)
                if !Self.faults.contains(name) {
                    request.script = Self.script(upload: upload, film: !options.mode.usesAppScheme)
                }
                if !usesLarder || options.mode != .proxy { request.trusted = stage.leaves }
                let visitor = usesLarder ? larder : visitors.control
                let (result, exchanges) = try await visitor.visit(request, connectivity)
                outcomes.append(
                    VisitOutcome(
                        name: name, usesLarder: usesLarder, result: result, exchanges: usesLarder ? exchanges : [],
                        origin: stage.takeLog(), screenshot: picture(request),
                        hasFilm: !options.mode.usesAppScheme || !usesLarder))
            }
        }
        try await visit("cold", by: larder, upload: true)
        try await visit("warm", by: larder)
        progress("preloading another store from the shop's signed manifests")
        let preloaded = try await visitors.larder(.preloaded)
        let preloadedBytes = try await visitors.preload(stage.publication, for: preloaded)
        try await visit("preloaded", in: .preloaded, by: preloaded)
        await preloaded.stop()
        if options.filesPreloadedMeanwhile > 0, options.mode == .proxy {
            // The very first visit of a run is slower than all others, whatever is preloaded.
            let quiet = try await visitors.larder(.quiet)
            try await visit("cold again", in: .quiet, by: quiet, upload: true)
            await quiet.stop()
            progress("preloading \(options.filesPreloadedMeanwhile) other files while the page is opened")
            let preloading = try await visitors.larder(.preloading)
            let others = try await visitors.preloadOtherFiles(options.filesPreloadedMeanwhile, for: preloading)
            try await visit("while preloading", in: .preloading, by: preloading, upload: true)
            others?.cancel()
            await others?.value
            await preloading.stop()
        }
        func visit(_ fault: LineFault, in store: DemoVisitors.Store = .visited) async throws {
            try await stage.worsen(fault)
            // One of its own, as that remembers for a while that the host was silent.
            let patient = try await visitors.larder(store)
            try await visit(fault.rawValue, in: store, by: patient)
            if options.mode != .none { await patient.stop() }
        }
        try await visit(.silent)
        await stage.takeOffline()
        try await visit("offline", by: larder, .disconnected)
        try await stage.bringBack()
        stage.deploy(stage.second)
        try await visit(Self.deployed, by: larder)
        // Rolled back: a server that has nothing new says so in one packet, on any network.
        stage.deploy(stage.first)
        try await visit(.trickling)
        // The first visit with this store.
        try await visit(.lossy, in: .lossy)
        await larder.stop()
        await visitors.stop()
        await stage.takeOffline()
        let story = DemoStory(outcomes, preloadedBytes: preloadedBytes)
        return VisitReport(
            title: "A shop page in a real WebKit", url: DemoStage.url, conditions: conditions(isBundled: true),
            checks: story.bundledChecks(
                changed: stage.second.changed(since: stage.first), site: stage.second,
                hasFilm: !options.mode.usesAppScheme),
            visits: story.records())
    }

    /// Waits for the page, plays the film's first frame, and asks what the page knows.
    private static func script(upload: Bool, film: Bool) -> String {
        """
        const demo = await window.__demo.ready;
        const film = \(film ? "await demo.video()" : "null");
        const upload = \(upload ? "await demo.upload(300000)" : "null");
        const socket = upload ? await demo.echo : demo.ws;
        return { version: demo.version, api: demo.api.basket.status, film, upload, socket };
        """
    }

    // MARK: Somebody else's page

    private func visitForeign(_ url: String, in directory: String, display: Display) async throws -> VisitReport {
        let (shaping, fault) = options.network.line
        let relayed =
            options.network == .direct
            ? nil : try await RelayedHosts.start(for: url, entries: options.hostMap, shaping: shaping)
        let visitors = try await DemoVisitors.start(
            options, directory: directory, hostMap: relayed?.hostMap ?? options.hostMap,
            authorities: options.originAuthorities, display: display)
        let larder = try await visitors.larder(.visited)
        let readsControl = visitors.controlIsRead
        let leaves = try await PresentedLeaves.of(
            url, entries: options.hostMap, authorities: options.originAuthorities)
        var outcomes: [VisitOutcome] = []
        let weak = fault.map { [$0.rawValue] } ?? []
        for name in ["cold", "warm"] + weak + ["offline"] + (options.deploy == nil ? [] : [Self.deployed]) {
            let connectivity: Connectivity = name == "offline" ? .disconnected : .connected
            if name == Self.deployed { try await options.deploy?() }
            relayed?.relay.setFault(weak.contains(name) ? fault : nil)
            // On a lossy network the first visit is the hard one: what is stored is not asked for, or confirmed in a
            // packet.
            let store = name == LineFault.lossy.rawValue ? DemoVisitors.Store.lossy : .visited
            // One of its own, as that remembers for a while that the host was silent.
            let visited = weak.contains(name) ? try await visitors.larder(store) : larder
            for usesLarder in options.hasControl ? [true, false] : [true] {
                progress("\(name), \(usesLarder ? "through Larder" : "without it")")
                _ = relayed?.takeSighting()
                var request = request(url, name, store, usesLarder, in: directory)
                if !usesLarder || options.mode != .proxy { request.trusted = leaves }
                let visitor = usesLarder ? visited : visitors.control
                let (result, exchanges) = try await visitor.visit(request, connectivity)
                outcomes.append(
                    VisitOutcome(
                        name: name, usesLarder: usesLarder, result: result, exchanges: usesLarder ? exchanges : [],
                        forwarded: readsControl && !usesLarder ? exchanges : nil,
                        origin: relayed?.takeSighting(), screenshot: picture(request)))
            }
            if weak.contains(name), options.mode != .none { await visited.stop() }
        }
        await larder.stop()
        await visitors.stop()
        await relayed?.relay.stop()
        let story = DemoStory(outcomes)
        let title = outcomes.first?.result.title.flatMap { $0.isEmpty ? nil : $0 }
        let shown = URLUserinfo.removed(from: url)
        return VisitReport(
            title: title ?? shown, url: shown, conditions: conditions(isBundled: false, readsControl: readsControl),
            checks: story.foreignChecks(), visits: story.records())
    }

    // MARK: Parts

    /// WebKit writes to its own cache a second after a response has come, and a visit ends its process.
    private static let writing = 1_500

    /// - Parameter store: Visits that share one share the web view's own cache and storage as well, as on a device.
    private func request(
        _ url: String, _ name: String, _ store: DemoVisitors.Store, _ usesLarder: Bool, in directory: String
    ) -> VisitRequest {
        let file = name.replacingOccurrences(of: " ", with: "-") + (usesLarder ? "" : "-control") + ".png"
        let isWeak = Self.faults.contains(name)
        let (url, userinfo) = URLUserinfo.split(url)
        let login = userinfo.flatMap { BasicCredentials(userinfo: $0.utf8) }
        return VisitRequest(
            url: url, siteUser: login?.user, sitePassword: login?.password,
            screenshotPath: directory + "/" + file, timeoutSeconds: isWeak ? 15 : options.timeoutSeconds,
            quietMilliseconds: name.hasPrefix("cold")
                ? max(options.quietMilliseconds, Self.writing) : options.quietMilliseconds,
            // The shop's API is asked for without end.
            pendingLimitMilliseconds: isWeak ? 1_000 : 10_000,
            dataDirectory: "\(directory)/web-view-\(store.rawValue)" + (usesLarder ? "" : "-control"),
            usesDiskCache: true)
    }

    private func picture(_ request: VisitRequest) -> Data? {
        request.screenshotPath.flatMap { FileManager.default.contents(atPath: $0) }
    }

    /// - Parameter readsControl: See ``DemoVisitors/controlIsRead``.
    private func conditions(isBundled: Bool, readsControl: Bool = false) -> [String] {
        var list = [
            "Each visit is a new web process. The web view has its own disk cache, with Larder and without, as on "
                + "devices; it is empty at the first visit."
        ]
        if isBundled {
            list.append("The origin is 60 ms away and sends at most 12 Mbit/s; figures chosen by us for a middling 4G.")
        } else if options.network != .direct {
            let figures =
                switch options.network {
                case .fourG:
                    " 60 ms away that carries at most 12 Mbit/s down and 5 up; figures chosen by us for a middling 4G"
                case .slow3G: " 400 ms away that carries 400 kbit/s, as 'Slow 3G' of Lighthouse"
                default: ", which is \(options.network.rawValue) for one visit"
                }
            list.append(
                "The origin is reached over a relay\(figures). Hosts other than the page's and mapped ones are not "
                    + "behind it."
            )
            list.append("Bytes from the origin are those that the relay carried, heads and TLS included.")
        }
        if options.mode.usesAppScheme {
            list.append(
                "Through Larder the page is opened at app-cache-https and answered in the web view's process"
                    + (isBundled
                        ? "; all of the site is on one host, and the film, which WebKitGTK does not load there, "
                            + "is left out." : "; what it asks of https by absolute addresses goes past Larder."))
        } else if options.mode.hasHandler {
            list.append("Through Larder https itself is answered in the web view's process.")
        }
        guard options.hasControl else { return list }
        list.append(
            readsControl
                ? "The control runs the same visit through a proxy that forwards every request and stores nothing."
                : "The control runs the same visit with every connection tunnelled unread.")
        return list
    }
}
