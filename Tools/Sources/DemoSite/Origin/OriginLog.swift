import NIOConcurrencyHelpers

/// An origin's log since the last reset. Safe to read from anywhere while the origin works.
package final class OriginLog: Sendable {
    private struct State {
        var connections = 0
        var requests: [OriginRecord] = []
    }

    private let state = NIOLockedValueBox(State())

    init() {}

    /// Connections accepted.
    package var connections: Int { state.withLockedValue { $0.connections } }

    /// Requests in the order in which their answers ended.
    package var requests: [OriginRecord] { state.withLockedValue { $0.requests } }

    /// Response body bytes handed to connections, all requests together.
    package var bodyBytesSent: Int { requests.reduce(0) { $0 + $1.bodyBytesSent } }

    /// Forgets everything.
    package func reset() {
        state.withLockedValue { $0 = State() }
    }

    func recordConnection() {
        state.withLockedValue { $0.connections += 1 }
    }

    func record(_ request: OriginRecord) {
        state.withLockedValue { $0.requests.append(request) }
    }
}
