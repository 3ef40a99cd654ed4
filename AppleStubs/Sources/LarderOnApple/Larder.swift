import CacheEngine
import Foundation
import Locking
import ViewCare

// As LarderKit declares them, as far as the links beside this file use them. Tests give them what they need; and what hangs on
// the trait Proxy is compiled with it here alone, as LarderKitOnApple has LarderKit itself, but without the trait.

public final class Larder: Sendable {
    public let directory: URL
    public let transport: any OriginTransport
    public let suspendsInBackground: Bool
    let clock: EngineClock
    let webViewProxies = SharedUse.Places<WebViewProxyOptions>()
    /// What proxies were started with, "capabilities" for that of a self-test.
    let started = LockedBox<[String]>([])
    /// What a test has maintenance do.
    let maintain: @Sendable () async -> MaintenanceSummary

    public init(_ configuration: LarderConfiguration, transport: any OriginTransport) throws {
        directory = configuration.directory
        suspendsInBackground = configuration.suspendsInBackground
        clock = configuration.clock
        maintain = configuration.maintain
        self.transport = transport
    }

    static func scheduleMaintenance(
        _ identifier: String, every interval: Duration, _ scheduler: some BackgroundTaskScheduler, clock: EngineClock,
        of larder: @escaping @Sendable () -> Larder?
    ) throws {
        let schedule = MaintenanceSchedule(identifier, every: interval, scheduler, clock: clock) {
            larder().map { larder in
                MaintenanceSchedule.Subject(
                    record: MaintenanceRecord(path: larder.directory.path + "/maintained"), maintain: larder.maintain)
            }
        }
        try schedule.start()
    }
}

public struct LarderConfiguration: Sendable {
    public var directory: URL
    public var clock: EngineClock = .system
    public var suspendsInBackground = false
    var maintain: @Sendable () async -> MaintenanceSummary = { MaintenanceSummary() }

    public init(directory: URL) { self.directory = directory }
}

extension Larder {
    func startProxy(for options: WebViewProxyOptions) async throws -> LarderProxy {
        started.withLock { $0.append("port \(options.port)") }
        return LarderProxy(leaves: [:])
    }

    func startCapabilityProxy(_ options: WebViewProxyOptions) async throws -> LarderProxy {
        started.withLock { $0.append("capabilities") }
        return LarderProxy(leaves: [:])
    }
}

public struct ProxyCredentials: Hashable, Sendable {
    public var user: String
    public var password: String
}

/// As in CachingProxy, for whole names.
public struct HostNamePattern: Hashable, Sendable {
    public var text: String
    public init(_ text: String) { self.text = text.lowercased() }
    public func matches(_ host: String) -> Bool { text == host.lowercased() }
}

public final class LarderProxy: Sendable {
    private let leaves: [String: [UInt8]]

    init(leaves: [String: [UInt8]]) { self.leaves = leaves }

    public var port: Int { 49_152 }
    public var credentials: ProxyCredentials? { ProxyCredentials(user: "larder", password: "a password") }
    public var portChanges: AsyncStream<Int> { AsyncStream { $0.finish() } }
    public func stop(within grace: Duration = .zero) async {}

    func presentedLeafDER(for host: String) throws -> [UInt8]? { leaves[host] }
}
