import CacheEngine

/// The content of a response. Whoever lets go of it gives the rest up.
final class ReceivedBody: BodySource {
    private let exchange: TaskExchange

    init(_ exchange: TaskExchange) { self.exchange = exchange }

    deinit { exchange.cancel() }

    func next() async throws -> [UInt8]? { try await exchange.next() }

    func cancel() { exchange.cancel() }
}
