#if Proxy
import CacheEngine
import HTTPCacheSemantics
import HTTPMessages
import HTTPTypes
import Locking
import NIOCore

/// The octets of the head that all answers from one stored response share, kept with the response.
///
/// Answers differ in `Age`, `Content-Range` and the proxy's own fields only, and within a second usually in nothing.
final class PreparedHead: Sendable {
    private enum Piece {
        case octets(ByteBuffer)
        case age
        case contentRange
    }

    /// The last octets made, and the answer they were made for: the whole head, or for a 206 the proxy's own fields.
    private struct Last {
        var age: Int64
        var cacheStatus: CacheStatus
        var closes: Bool
        var octets: ByteBuffer
    }

    private let proxy: ProxyServer.Identity
    private let pieces: [Piece]
    private let last = LockedBox<Last?>(nil)

    private init(_ head: HTTPResponse, _ framing: MessageFraming, hasRange: Bool, proxy: ProxyServer.Identity) {
        self.proxy = proxy
        var pieces: [Piece] = []
        var octets = ByteBuffer()
        MessageWriter.write(head.status, to: &octets)
        for field in head.headerFields where !MessageWriter.isReplaced(field.name, framing, .response) {
            let isOpen = field.name == .age || (hasRange && field.name == .contentRange)
            guard isOpen else {
                MessageWriter.write(proxy.origin?.translated(field) ?? field, to: &octets)
                continue
            }
            octets.writeString(field.name.rawName + ": ")
            pieces += [.octets(octets), field.name == .age ? .age : .contentRange]
            octets = ByteBuffer(string: "\r\n")
        }
        self.pieces = pieces + [.octets(octets)]
    }

    /// The head of an answer, ready to be sent.
    ///
    /// - Parameter closes: Whether the connection is closed after the answer.
    static func octets(of answer: ImmediateAnswer, closes: Bool, proxy: ProxyServer.Identity) -> ByteBuffer {
        if let known = answer.template.attachment as? PreparedHead, known.proxy === proxy {
            return known.octets(of: answer, closes: closes)
        }
        let prepared = PreparedHead(
            answer.template.head, framing(of: answer), hasRange: answer.contentRange != nil, proxy: proxy)
        answer.template.attach(prepared)
        return prepared.octets(of: answer, closes: closes)
    }

    private static func framing(of answer: ImmediateAnswer) -> MessageFraming {
        answer.content == nil ? .none : .length(Int64(answer.region.count))
    }

    private func octets(of answer: ImmediateAnswer, closes: Bool) -> ByteBuffer {
        let known = last.withLock { last -> ByteBuffer in
            if let last, last.age == answer.age, last.closes == closes, last.cacheStatus == answer.cacheStatus {
                return last.octets
            }
            var octets = added(to: answer, closes: closes)
            if answer.contentRange == nil { octets = whole(answer, adding: octets) }
            last = Last(age: answer.age, cacheStatus: answer.cacheStatus, closes: closes, octets: octets)
            return octets
        }
        return answer.contentRange == nil ? known : whole(answer, adding: known)
    }

    private func added(to answer: ImmediateAnswer, closes: Bool) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.reserveCapacity(256)
        MessageWriter.write(proxy.via, to: &bytes)
        if proxy.sendsCacheStatus {
            MessageWriter.write(HTTPField(name: .cacheStatus, value: answer.cacheStatus.description), to: &bytes)
        }
        if closes { bytes.writeStaticString("Connection: close\r\n") }
        return bytes
    }

    private func whole(_ answer: ImmediateAnswer, adding added: ByteBuffer) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.reserveCapacity(1_024)
        for piece in pieces {
            switch piece {
            case .octets(let octets): bytes.writeImmutableBuffer(octets)
            case .age: bytes.writeString(String(answer.age))
            case .contentRange: bytes.writeString(answer.contentRange ?? "")
            }
        }
        bytes.writeImmutableBuffer(added)
        MessageWriter.writeEnd(Self.framing(of: answer), to: &bytes)
        return bytes
    }
}
#endif
