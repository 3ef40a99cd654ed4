#if Proxy
import NIOCore

extension ProxyServer {
    /// A listening proxy.
    package struct Listener: Sendable {
        private let channel: any Channel
        private let connections: OpenConnections
        private let probes: ListenerProbes
        private let group: any EventLoopGroup

        init(
            _ channel: any Channel, _ connections: OpenConnections, _ probes: ListenerProbes,
            _ group: any EventLoopGroup
        ) {
            (self.channel, self.connections, self.probes, self.group) = (channel, connections, probes, group)
            port = channel.localAddress?.port ?? 0
        }

        /// Whether a client is let in: connects to itself, and waits until that very connection is accepted, a second
        /// at most. A system may take a listener's port back without a word while it has suspended the process, and
        /// another program may have it by now.
        package func isReachable() async -> Bool {
            guard channel.isActive, let address = channel.localAddress else { return false }
            return await probes.reach(address, on: group)
        }

        /// The port that the proxy listens on, or did until it was closed.
        package let port: Int

        /// Stops accepting connections; open ones go on.
        package func close() async {
            try? await channel.close()
        }

        /// Stops accepting connections, waits for answers under way and for active tunnels to end, then closes every
        /// connection.
        ///
        /// - Parameter grace: The longest wait.
        package func close(within grace: TimeAmount) async {
            await close()
            await connections.end(within: grace, on: channel.eventLoop)
        }

        /// Returns when the listener is closed.
        package func waitUntilClosed() async {
            try? await channel.closeFuture.get()
        }
    }
}
#endif
