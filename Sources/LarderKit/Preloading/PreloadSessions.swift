import CacheEngine
import Foundation
import HTTPCacheSemantics
import struct HTTPCacheSemantics.ByteCount  // Darwin has one too.
import Locking
import Preloading
import ResponseStore

/// The session of the account that is used, made when it is needed. The next account's begins when it has ended.
actor PreloadSessions {
    /// How long the same page is not expected again.
    private static let expectedAgain = Duration.seconds(60)

    private struct Expected: Hashable, Sendable {
        var account: String
        var page: String
    }

    nonisolated let events = Broadcast<PreloadEvent>()
    nonisolated let cache: ResponseCache
    nonisolated let monitor: ConnectivityMonitor
    private let clock: EngineClock
    nonisolated let files: PreloadStateFiles
    nonisolated let policy: PolicyInForce
    nonisolated let turns: String
    nonisolated let held: HeldTurns
    nonisolated let bytesPerDay: ByteCount?
    nonisolated let account: @Sendable () -> String
    private let recent = LockedBox(RecentCache<Expected, Duration>(budget: 64))
    private let session = LockedBox<PreloadSession?>(nil)

    /// - Parameter account: The one that is used now.
    init(
        cache: ResponseCache, monitor: ConnectivityMonitor, clock: EngineClock, configuration: LarderConfiguration,
        files: PreloadStateFiles, policy: PolicyInForce, turns held: HeldTurns,
        account: @escaping @Sendable () -> String
    ) {
        (self.cache, self.monitor, self.clock, self.account) = (cache, monitor, clock, account)
        (self.files, self.policy) = (files, policy)
        self.held = held
        // As the tool does.
        turns = configuration.directory.path + "/preload"
        bytesPerDay = configuration.preloadBytesPerDay
    }

    func current() async -> PreloadSession {
        while true {
            await leaveOthers()
            let name = account()
            if let session = session.withLock({ $0 }) {
                if session.account == name { return session }
                continue
            }
            let made = PreloadSession(name, of: self)
            session.withLock { $0 = made }
            return made
        }
    }

    /// To be called when the account may have changed.
    func accountChanged() async {
        await leaveOthers()
        // While another one was used for a moment, there was no network for this one.
        await session.withLock { $0 }?.queue.lookAgain()
    }

    /// Ends the session of an account that is not used any more.
    func leaveOthers() async {
        guard let old = session.withLock({ $0 }), old.account != account() else { return }
        await old.end()
        session.withLock { if $0 === old { $0 = nil } }
    }

    /// Whether a page is to be expected: not where it was within the last minute.
    nonisolated func shouldExpect(_ page: String) -> Bool {
        let (now, key) = (clock.uptime(), Expected(account: account(), page: page))
        return recent.withLock { recent in
            if let last = recent.value(for: key), now - last < Self.expectedAgain { return false }
            recent.set(now, for: key)
            return true
        }
    }

    /// Ends everything without waiting.
    nonisolated func abandon() {
        session.withLock { $0 }?.abandon()
    }
}
