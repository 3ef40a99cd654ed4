import CacheEngine
import Foundation

// As LarderKit declares them, as far as the links beside this file use them. LarderKit itself can't be built here: its other
// modules are of another package, and would take the stand-ins for the system's modules.

public final class Larder: Sendable {
    public let directory: URL
    public let transport: any OriginTransport
    public let suspendsInBackground: Bool
    let clock: EngineClock
    /// What a test has maintenance do.
    let maintain: @Sendable () async -> MaintenanceSummary

    public init(_ configuration: LarderConfiguration, transport: any OriginTransport) throws {
        directory = configuration.directory
        suspendsInBackground = configuration.suspendsInBackground
        clock = configuration.clock
        maintain = configuration.maintain
        self.transport = transport
    }

    func scheduleMaintenance(
        _ identifier: String, every interval: Duration, _ scheduler: some BackgroundTaskScheduler
    ) throws {
        try Self.scheduleMaintenance(identifier, every: interval, scheduler, clock: clock) { self }
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

public final class LarderProxy {
    private let leaves: [String: [UInt8]]

    init(leaves: [String: [UInt8]]) { self.leaves = leaves }

    func presentedLeafDER(for host: String) throws -> [UInt8]? { leaves[host] }
}
