import LarderKit

/// How far one set of preloads has come, from the events of the queue.
public struct PreloadProgress: Hashable, Sendable {
    /// The set that is followed; events of others are left out.
    public let set: String
    public private(set) var total = 0
    public private(set) var verified: Set<String> = []
    /// By URL, why.
    public private(set) var refused: [String: String] = [:]
    /// By URL, why.
    public private(set) var waiting: [String: String] = [:]
    /// Bytes of content that came from the network.
    public private(set) var transferred: Int64 = 0

    public init(set: String) { self.set = set }

    public mutating func add(_ event: PreloadEvent) {
        switch event {
        case .queued(set: set, count: let count): total = count
        case .verified(let item, set: set, from: _, transferred: let bytes):
            verified.insert(item.url)
            waiting[item.url] = nil
            transferred += bytes
        case .refused(let item, set: set, let refusal):
            refused[item.url] = refusal.description
            waiting[item.url] = nil
        case .waiting(let item, set: set, let wait): waiting[item.url] = wait.reason.rawValue
        case .queued, .started, .verified, .refused, .waiting, .done: break
        }
    }

    /// From 0 to 1.
    public var fraction: Double {
        total > 0 ? min(1, Double(verified.count + refused.count) / Double(total)) : 0
    }

    public var summary: String {
        "\(verified.count) of \(total) verified, \(refused.count) refused, \(waiting.count) waiting, \(transferred) bytes"
    }
}
