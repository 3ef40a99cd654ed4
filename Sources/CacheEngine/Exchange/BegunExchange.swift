import HTTPTypes

/// How far an exchange has come at once.
package enum BegunExchange: Sendable {
    /// The exchange is over and reported; only its answer has to be sent.
    case answered(ImmediateAnswer)
    /// The exchange has to go on, see ``Rest``.
    case underWay(Rest)

    /// The rest of an exchange. Use it once.
    package final class Rest: Sendable {
        private let exchange: RunningExchange
        private let next: ExchangeMachine.Action

        init(_ exchange: RunningExchange, next: ExchangeMachine.Action) {
            self.exchange = exchange
            self.next = next
        }

        /// Answers the request, see ``ResponseCache/respond(to:)``.
        ///
        /// - Parameter onInterim: Replaces ``EngineRequest/onInterim``.
        package func respond(onInterim: (@Sendable (HTTPResponse) -> Void)? = nil) async -> EngineResponse {
            var exchange = exchange
            if let onInterim { exchange.onInterim = onInterim }
            return await exchange.cache.respond(exchange, next: next)
        }
    }
}
