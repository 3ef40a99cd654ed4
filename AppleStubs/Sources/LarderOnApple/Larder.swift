import CacheEngine
import Foundation

// As LarderKit declares them, as far as the links beside this file use them. LarderKit itself can't be built here: its other
// modules are of another package, and would take the stand-ins for the system's modules.

public final class Larder {
    public let directory: URL
    public let transport: any OriginTransport

    public init(_ configuration: LarderConfiguration, transport: any OriginTransport) throws {
        directory = configuration.directory
        self.transport = transport
    }
}

public struct LarderConfiguration: Sendable {
    public var directory: URL
    public var clock: EngineClock = .system

    public init(directory: URL) { self.directory = directory }
}
