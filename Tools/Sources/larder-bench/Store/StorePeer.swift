import Foundation

/// Another way to keep responses, measured in the same run.
protocol StorePeer: AnyObject {
    var name: String { get }
    /// How many responses it takes in reasonable time.
    var limit: Int { get }
    func fill(_ numbers: Range<Int>) throws
    /// - Returns: How many bytes were read.
    func read(_ number: Int) throws -> Int?
    /// Keeps responses of these lengths; all of it is durable when it returns.
    func store(_ lengths: [Int]) throws
}

/// A failure of a peer.
struct PeerError: Error, CustomStringConvertible {
    var description: String
}
