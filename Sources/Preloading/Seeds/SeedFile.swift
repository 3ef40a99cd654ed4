import HTTPCacheSemantics
import ResponseStore

/// Where the octets of a seed come from, such as a file of the app's bundle. Nothing that it says is trusted.
package protocol SeedFile: Sendable {
    var length: ByteCount { get }

    /// Octets from an offset; fewer than asked for only at the end.
    func read(from offset: Int64, upTo count: Int) throws -> [UInt8]
}

extension BodyFile: SeedFile {}
