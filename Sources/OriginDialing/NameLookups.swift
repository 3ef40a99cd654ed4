#if Proxy
import Foundation
import HTTPCacheSemantics
import Locking
import NIOCore

/// Looks names up, so that those which nobody answers keep nobody else waiting.
///
/// `getaddrinfo` blocks its thread for as long as name servers are silent, half a minute or more, and can't be called
/// off. So each look-up has a thread of its own, there is one for each name however many wait for it, and what one page
/// asks for takes no more than half of them. A name that was answered lately is not looked up again.
package final class NameLookups: Sendable {
    /// Gives the addresses of a host, with any port. May block.
    package typealias Ask = @Sendable (_ host: String) throws -> [SocketAddress]

    /// Limits, each with its default.
    package struct Limits: Sendable {
        /// Look-ups under way at once: an eighth of the files that this process may have open, for each needs one or
        /// two; at least 32, at most 256. Once half of them are, a page that has a quarter begins no more.
        package var lookups = max(32, min(256, OpenFileLimit.current / 8))
        /// How long an answer counts.
        package var lifetime = TimeAmount.seconds(60)
        /// Answers kept.
        package var answers = 1_000

        package init() {}
    }

    typealias Answer = Result<[SocketAddress], any Error>

    private struct Waiting {
        var id: Int
        var asker: NameAsker
        var receive: @Sendable (Answer) -> Void
    }

    private struct Lookup {
        var waiting: [Waiting] = []
        /// The asker in whose share it is counted; `nil` before it begins.
        var payer: NameAsker?
    }

    private struct State {
        var lookups: [String: Lookup] = [:]
        /// Names whose look-up has not begun, the oldest first.
        var queue: [String] = []
        var underWay: [NameAsker: Int] = [:]
        var answers: [String: (addresses: [SocketAddress], until: NIODeadline)] = [:]
        var lastID = 0

        func hasRoom(for asker: NameAsker, _ limits: Limits) -> Bool {
            let (all, own) = (underWay.values.reduce(0, +), underWay[asker, default: 0])
            return all < limits.lookups / 2 || (all < limits.lookups && own < limits.lookups / 4)
        }

        /// - Returns: The names whose look-up begins.
        mutating func begin(_ limits: Limits) -> [String] {
            var (begun, left) = ([String](), [String]())
            for name in queue {
                let payer = lookups[name]?.waiting.first { hasRoom(for: $0.asker, limits) }?.asker
                guard let payer else {
                    left.append(name)
                    continue
                }
                lookups[name]?.payer = payer
                underWay[payer, default: 0] += 1
                begun.append(name)
            }
            queue = left
            return begun
        }

        /// - Returns: Who waits for it.
        mutating func end(_ name: String) -> [Waiting] {
            guard let lookup = lookups.removeValue(forKey: name) else { return [] }
            if let payer = lookup.payer {
                let left = underWay[payer, default: 1] - 1
                underWay[payer] = left > 0 ? left : nil
            }
            return lookup.waiting
        }

        /// One that has begun goes on: its answer may be wanted again.
        mutating func callOff(_ id: Int, _ name: String) {
            guard var lookup = lookups[name] else { return }
            lookup.waiting.removeAll { $0.id == id }
            let isOver = lookup.waiting.isEmpty && lookup.payer == nil
            lookups[name] = isOver ? nil : lookup
            if isOver { queue.removeAll { $0 == name } }
        }
    }

    /// The look-ups of every dialer that is given no other.
    package static let shared = NameLookups()

    private let state = LockedBox(State())
    private let limits: Limits
    private let now: @Sendable () -> NIODeadline
    private let ask: Ask

    package init(
        limits: Limits = .init(), now: @escaping @Sendable () -> NIODeadline = { .now() },
        ask: @escaping Ask = SystemResolver.addresses
    ) {
        (self.limits, self.now, self.ask) = (limits, now, ask)
    }

    /// Whether a look-up could begin at once.
    package func hasRoom(for asker: NameAsker) -> Bool {
        state.withLock { $0.hasRoom(for: asker, limits) }
    }

    /// Looks a name up.
    ///
    /// - Parameter receive: Called once, from any thread, unless it was called off before.
    /// - Returns: Calls it off.
    func find(
        _ host: String, for asker: NameAsker, _ receive: @escaping @Sendable (Answer) -> Void
    ) -> @Sendable () -> Void {
        let (name, now) = (host.lowercased(), now())
        let (known, id) = state.withLock { state -> ([SocketAddress]?, Int) in
            if let answer = state.answers[name], answer.until > now { return (answer.addresses, 0) }
            state.lastID += 1
            if state.lookups[name] == nil { state.queue.append(name) }
            state.lookups[name, default: Lookup()].waiting.append(
                Waiting(id: state.lastID, asker: asker, receive: receive))
            return (nil, state.lastID)
        }
        if let known {
            receive(.success(known))
            return {}
        }
        beginWhatMay()
        return { self.state.withLock { $0.callOff(id, name) } }
    }

    /// Forgets the answer for a host at which nothing could be connected to.
    func forget(_ host: String) {
        state.withLock { $0.answers[host.lowercased()] = nil }
    }

    private func beginWhatMay() {
        for name in state.withLock({ $0.begin(limits) }) {
            Thread.detachNewThread { self.end(name, Answer { try self.ask(name) }) }
        }
    }

    private func end(_ name: String, _ answer: Answer) {
        let now = now()
        let waiting = state.withLock { state -> [Waiting] in
            if case .success(let addresses) = answer {
                // A name that is forgotten is looked up once more than needed.
                if state.answers.count >= limits.answers { state.answers = [:] }
                state.answers[name] = (addresses, now + limits.lifetime)
            }
            return state.end(name)
        }
        for each in waiting { each.receive(answer) }
        beginWhatMay()
    }
}

package enum SystemResolver {
    /// The addresses of a host, in the order of RFC 6724.
    @Sendable
    package static func addresses(of host: String) throws -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_protocol = Int32(IPPROTO_TCP)
        // A network without IPv6 is not asked for its addresses: there are name servers that never answer that.
        hints.ai_flags = PrivateNetwork.isLoopback(host: host) ? 0 : AI_ADDRCONFIG
        var first: UnsafeMutablePointer<addrinfo>?
        var status = getaddrinfo(host, nil, &hints, &first)
        if status != 0, status != EAI_AGAIN {
            // Where there is no network at all, a name of this machine is found so.
            hints.ai_flags = 0
            status = getaddrinfo(host, nil, &hints, &first)
        }
        guard status == 0 else { throw Failure(message: String(cString: gai_strerror(status))) }
        defer { freeaddrinfo(first) }
        var addresses: [SocketAddress] = []
        var next = first
        while let info = next?.pointee {
            let bytes = UnsafeRawPointer(info.ai_addr)
            if info.ai_family == AF_INET, let bytes {
                addresses.append(SocketAddress(bytes.load(as: sockaddr_in.self)))
            } else if info.ai_family == AF_INET6, let bytes {
                addresses.append(SocketAddress(bytes.load(as: sockaddr_in6.self)))
            }
            next = info.ai_next
        }
        return addresses
    }

    /// Why a name has no address, in the system's words.
    package struct Failure: Error, Hashable, Sendable {
        package var message: String
    }
}
#endif
