import CAllocationCounter
import Foundation

/// Time and allocations of one operation, the median of several rounds.
struct Measurement: Encodable {
    var name: String
    var nanoseconds: Double
    var allocations: Double

    private static let rounds = 9

    /// - Parameters:
    ///   - count: Operations a round.
    ///   - operation: Returns something that depends on its work, so that none of it can be left out.
    static func run(_ name: String, count: Int, _ operation: () -> Int) -> Measurement {
        var times: [Double] = []
        var blocks: [Double] = []
        var sink = 0
        for _ in 0..<count / 10 { sink &+= operation() }
        for _ in 0..<rounds {
            let allocations = larder_allocations()
            let start = DispatchTime.now().uptimeNanoseconds
            for _ in 0..<count { sink &+= operation() }
            times.append(Double(DispatchTime.now().uptimeNanoseconds - start) / Double(count))
            blocks.append(Double(larder_allocations() - allocations) / Double(count))
        }
        // Keeps the work from being optimised away.
        if sink == .min { FileHandle.standardError.write(Data([0x0A])) }
        return Measurement(
            name: name, nanoseconds: times.sorted()[rounds / 2], allocations: blocks.sorted()[rounds / 2])
    }
}
