import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// Answers requests from a store and a transport: look up, decide, collapse, forward, freshen, store, report.
///
/// All decisions are made by `ExchangeMachine`; this type does what it says. It has no isolation of its own: exchanges
/// run at once, each in the task of its caller, and meet only in the store and in the table of requests in flight.
public final class ResponseCache: Sendable {
    let store: any ResponseStorage
    let transport: any OriginTransport
    let configuration: EngineConfiguration
    let flights = CollapseTable()

    public init(
        store: any ResponseStorage, transport: any OriginTransport, configuration: EngineConfiguration = .init()
    ) {
        self.store = store
        self.transport = transport
        self.configuration = configuration
    }

    var now: WallInstant { configuration.clock.wallTime() }

    /// Answers one request. Never throws: what went wrong is an error answer with its reason.
    ///
    /// Cancelling the task that waits for the answer cancels the exchange, unless others share it.
    public func respond(to request: EngineRequest) async -> EngineResponse {
        var exchange = RunningExchange(request, cache: self)
        var action = exchange.machine.start()
        while true {
            switch action {
            case .lookUp(let key):
                exchange.willLookUp(key)
                // A store that can't be read is a store that has nothing; the exchange goes on.
                let entries = (try? await store.entries(for: key)) ?? []
                action = exchange.machine.lookedUp(entries, at: now)
            case .serve(let entry, let use):
                if let answer = await exchange.answer(with: entry, use) {
                    // After a failed validation others may still wait for it.
                    exchange.endFlight(.notShareable)
                    return answer
                }
                action = exchange.contentWasGone()
            case .freshen(let entry, let response, let use):
                try? await store.update(entry.id, key: entry.key, response: response)
                exchange.confirmed(response)
                if let answer = await exchange.answer(with: entry, use) { return answer }
                action = exchange.contentWasGone()
            case .forward(let head, let mayCollapse):
                switch mayCollapse ? await exchange.joinOthers() : .goOn {
                case .answer(let answer): return answer
                case .lookAgain(let key): action = .lookUp(key)
                case .goOn: action = await exchange.forward(head)
                }
            case .relay(let storing, let notStored):
                return await exchange.relay(storing: storing, notStored: notStored)
            case .fail(let error):
                return exchange.failure(error)
            }
        }
    }
}
