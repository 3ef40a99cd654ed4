#if Proxy
import HTTPCacheSemantics
import HTTPTypes
import NIOCore
import NIOPosix

/// On whose behalf a name is looked up.
package enum NameAsker: Hashable, Sendable {
    /// A page, named by its site.
    case page(String)
    /// Nobody yet: a request may come.
    case aheadOfNeed
    case unknown

    /// The asker of the connections that the current task opens.
    @TaskLocal package static var current = NameAsker.unknown

    /// A page of a host, RFC 9110 §4.2.3: whatever case it is written in.
    package init(pageOf host: String) {
        let host = host.lowercased()
        self = .page(PublicSuffixes.registrableDomain(host) ?? host)
    }

    /// The asker that a request names. A document is a page of its own: a site that links to it must not keep it from
    /// loading.
    package init(of request: HTTPRequest) {
        let fields = request.headerFields
        let destination = fields[.secFetchDest]
        let isDocument =
            destination == "document" || (destination == nil && fields[.accept]?.hasPrefix("text/html") == true)
        let page = isDocument ? nil : fields[.referer] ?? fields[.origin]
        if let authority = isDocument ? request.authority : page.flatMap({ TargetURI.split($0)?.authority }),
            let host = Authority(authority)?.host
        {
            self.init(pageOf: host)
        } else {
            self = .unknown
        }
    }
}

/// The look-up of one attempt to connect.
final class NameQuery: Resolver, Sendable {
    private let lookups: NameLookups
    private let asker = NameAsker.current
    private let (v4, v6): (EventLoopPromise<[SocketAddress]>, EventLoopPromise<[SocketAddress]>)
    private let attempt = DialAttempt()

    /// On behalf of ``NameAsker/current``.
    init(_ lookups: NameLookups, on loop: any EventLoop) {
        self.lookups = lookups
        (v4, v6) = (loop.makePromise(), loop.makePromise())
    }

    /// An attempt that was given up before it began asks for nothing, and a promise must be kept or broken.
    deinit {
        v4.fail(CancellationError())
        v6.fail(CancellationError())
    }

    /// Both are looked up as one; NIO asks for this one first.
    func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        if let address = try? SocketAddress(ipAddress: host, port: port) {
            end(.success([address]))
            return v6.futureResult
        }
        let callOff = lookups.find(host, for: asker) { answer in
            self.end(
                answer.map { addresses in
                    var addresses = addresses
                    for place in addresses.indices { addresses[place].port = port }
                    return addresses
                })
        }
        if (try? attempt.begin(giveUp: callOff)) == nil { callOff() }
        return v6.futureResult
    }

    func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> { v4.futureResult }

    func cancelQueries() {
        attempt.cancel()
        end(.failure(CancellationError()))
    }

    /// The first call counts.
    private func end(_ answer: NameLookups.Answer) {
        v4.futureResult.eventLoop.execute { [v4, v6] in
            switch answer {
            case .success(let addresses):
                v6.succeed(addresses.filter { $0.protocol == .inet6 })
                v4.succeed(addresses.filter { $0.protocol == .inet })
            case .failure(let error):
                v6.fail(error)
                v4.fail(error)
            }
        }
    }
}

/// The bytes of an IP address, as certificates carry them (RFC 5280 §4.2.1.6).
package enum IPAddressBytes {
    /// - Returns: 4 or 16 bytes; `nil` when the text is no address.
    package static func parse(_ text: String) -> [UInt8]? {
        (try? SocketAddress(ipAddress: text, port: 0)).flatMap(bytes)
    }

    /// The usual spelling of 4 or 16 bytes, RFC 5952 for the latter; `nil` for any other number of them.
    static func text(_ bytes: [UInt8]) -> String? {
        (try? SocketAddress(packedIPAddress: ByteBuffer(bytes: bytes), port: 0))?.ipAddress
    }

    private static func bytes(_ address: SocketAddress) -> [UInt8]? {
        switch address {
        case .v4(let v4): withUnsafeBytes(of: v4.address.sin_addr) { Array($0) }
        case .v6(let v6): withUnsafeBytes(of: v6.address.sin6_addr) { Array($0) }
        case .unixDomainSocket: nil
        }
    }

    /// Whether a text is an address of loopback, RFC 1122 §3.2.1.3 and RFC 4291 §2.5.3.
    package static func isLoopback(_ text: String) -> Bool {
        guard let bytes = parse(text) else { return false }
        return bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }

    /// Whether two addresses are the same port of the same host; an IPv4 address may be mapped to IPv6 (RFC 4291
    /// §2.5.5.2).
    package static func areSame(_ one: SocketAddress?, _ other: SocketAddress?) -> Bool {
        guard let one, let other, one.port == other.port, let first = bytes(one), let second = bytes(other) else {
            return false
        }
        let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
        return first == second || first == mapped + second || mapped + first == second
    }
}
#endif
