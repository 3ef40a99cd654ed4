import CacheEngine
import Fetching
import HTTPCacheSemantics

/// Loads whole pages in a hidden web view, so that all is stored that they ask for, where nothing else says what.
///
/// One at a time. They count for the queue's network conditions and budget, and its events tell of them. What they have
/// stored stays, whatever ends them, and is not pinned.
package actor WholePagePreload {
    /// The set that events name.
    package static let set = "app:pages"

    private let queue: PreloadQueue
    private let traffic: HiddenPageTraffic
    private let limits: WholePageLimits
    private let open: @Sendable () async throws -> any HiddenPage
    /// The end of those that were asked for before.
    private var last: Task<Void, Never>?

    /// - Parameters:
    ///   - traffic: Carries the pages' requests. Pages in ``HiddenPageTraffic/avoided`` are never loaded.
    ///   - open: Makes a web view that shows nothing yet.
    package init(
        queue: PreloadQueue, traffic: HiddenPageTraffic, limits: WholePageLimits = WholePageLimits(),
        open: @escaping @Sendable () async throws -> any HiddenPage
    ) {
        (self.queue, self.traffic, self.limits, self.open) = (queue, traffic, limits, open)
    }

    /// Loads pages in this order, after those of earlier calls. When the task is cancelled, the page that is being
    /// loaded ends at once, and the rest is not begun.
    package func preload(_ urls: [String]) async -> PreloadSummary {
        let before = last
        let task = Task {
            await before?.value
            return await load(urls)
        }
        last = Task { _ = await task.value }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func load(_ urls: [String]) async -> PreloadSummary {
        queue.recorder.yield(.queued(set: Self.set, count: urls.count))
        var summary = PreloadSummary()
        summary.items = urls.count
        for url in urls {
            let item = PreloadItem(url: url, destination: .document)
            let before = traffic.received
            let end = await end(of: item)
            let transferred = traffic.received - before
            summary.transferred += transferred
            switch end {
            case .verified:
                summary.verified += 1
                let source = transferred > .zero ? PreloadEvent.Source.network : .store
                queue.recorder.yield(.verified(item, set: Self.set, from: source, transferred: transferred.bytes))
            case .refused(let refusal):
                summary.refused[refusal.reason, default: 0] += 1
                queue.recorder.yield(.refused(item, set: Self.set, refusal))
            case .waiting(let wait):
                summary.waiting[wait.reason, default: 0] += 1
                queue.recorder.yield(.waiting(item, set: Self.set, wait))
            }
        }
        return summary
    }

    private enum End: Sendable {
        case verified
        case refused(PreloadRefusal)
        case waiting(PreloadWait)
    }

    private static let cancelled = refused(.cancelled, "It was cancelled.")

    private static func refused(_ reason: PreloadRefusal.Reason, _ message: String) -> End {
        .refused(PreloadRefusal(reason, message))
    }

    private func end(of item: PreloadItem) async -> End {
        guard !Task.isCancelled else { return Self.cancelled }
        guard item.url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), URLUserinfo.split(item.url).userinfo == nil,
            let url = TargetURI.resolve(item.url, against: item.url)
        else {
            return Self.refused(
                .invalidURL, "It is no http or https URL without user and password; name the page itself.")
        }
        let avoided = traffic.avoided
        guard !avoided.isEverything else {
            return Self.refused(
                .sideEffects,
                "Which pages do something when they are opened is said by the manifest, which is missing.")
        }
        guard !avoided.contains(url) else { return .refused(.sideEffects) }
        if let wait = await queue.admitPage(at: url) { return .waiting(wait) }
        queue.recorder.yield(.started(item, set: Self.set))
        let page: any HiddenPage
        do {
            page = try await open()
        } catch {
            return Self.refused(.pageFailed, "No web view could be opened: \(error)")
        }
        // Earlier bytes belong to no page.
        _ = traffic.takeUncounted()
        let end = await end(of: page, at: url)
        _ = await queue.receivedByPage(traffic.takeUncounted())
        return end
    }

    private func end(of page: any HiddenPage, at url: String) async -> End {
        let (limits, queue, traffic, cache) = (limits, queue, traffic, queue.cache)
        return await withTaskGroup(of: End.self) { group in
            group.addTask { await self.load(page, url) }
            group.addTask {
                do { try await cache.sleep(limits.time) } catch { return Self.cancelled }
                return Self.refused(
                    .timeLimit, "It went on loading for \(limits.time); what it had asked for by then is stored.")
            }
            group.addTask {
                while true {
                    if let memory = await page.memory, memory > limits.memory {
                        return Self.refused(.memoryLimit, "It took more than \(limits.memory) of memory.")
                    }
                    if let wait = await queue.receivedByPage(traffic.takeUncounted()) { return .waiting(wait) }
                    do { try await cache.sleep(limits.interval) } catch { return Self.cancelled }
                }
            }
            let first = await group.next() ?? Self.cancelled
            group.cancelAll()
            await page.stop()
            return Task.isCancelled ? Self.cancelled : first
        }
    }

    private nonisolated func load(_ page: any HiddenPage, _ url: String) async -> End {
        let result: HiddenPageResult
        do {
            result = try await page.load(url)
        } catch {
            return Self.refused(.pageFailed, "\(error)")
        }
        if let end = result.url, traffic.avoided.contains(end) { return .refused(.sideEffects) }
        if let status = result.status, !(200..<300).contains(status) {
            // Not the server's answer, but that of `traffic` to this very document.
            if status == 403, let withheld = traffic.withheld,
                case let url = HiddenPageTraffic.url(of: withheld), url == result.url
            {
                return Self.refused(
                    .sideEffects,
                    "It goes on to '\(withheld.method.rawValue) \(url)', which is not sent ahead of need; take the "
                        + "page off the list.")
            }
            return Self.refused(
                .status,
                status == 504
                    ? "The answer is 504: the server can't be reached, or says so itself; try again later."
                    : "The server answers \(status); take the page off the list.")
        }
        if let problem = result.problem { return Self.refused(.pageFailed, problem) }
        guard await queue.isAvailableOffline(url) else {
            return Self.refused(
                .pageFailed,
                "The page has loaded, but it may not be stored, or the store can't be written: look at its "
                    + "Cache-Control and Vary, and at the rules.")
        }
        return .verified
    }
}
