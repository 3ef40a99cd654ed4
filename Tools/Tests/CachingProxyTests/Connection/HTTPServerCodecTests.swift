import HTTPMessages
import HTTPTypes
import NIOCore
import NIOEmbedded
import Testing

@testable import CachingProxy

/// The handler alone: what an exchange may write, and when.
@Suite("The messages of a client's connection")
struct ClientMessagesTests {
    private static let request = "GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n"
    private let ok = HTTPResponse(status: .ok)
    private let hints = HTTPResponse(status: .init(code: 103, reasonPhrase: "Early Hints"))

    private func channel(_ received: String) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: HTTPServerCodec())
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/x")).wait()
        try channel.writeInbound(ByteBuffer(string: received))
        return channel
    }

    private func written(_ channel: EmbeddedChannel) throws -> String {
        var text = ""
        while let bytes = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: bytes) }
        return text
    }

    private func requests(_ channel: EmbeddedChannel) throws -> [Int] {
        var numbers: [Int] = []
        while let part = try channel.readInbound(as: RequestPart.self) {
            if case .head(_, _, let number) = part { numbers.append(number) }
        }
        return numbers
    }

    private func write(_ channel: EmbeddedChannel, _ parts: ResponsePart...) {
        for part in parts { channel.writeAndFlush(part, promise: nil) }
    }

    @Test("an interim response is sent before its own final one only (RFC 9110 §15.2)")
    func interim() throws {
        let channel = try channel(Self.request + Self.request)
        write(channel, .interim(hints, exchange: 2))
        #expect(try written(channel).isEmpty)
        write(channel, .interim(hints, exchange: 1))
        #expect(try written(channel) == "HTTP/1.1 103 Early Hints\r\n\r\n")
        write(channel, .head(ok, .length(2), closes: false), .interim(hints, exchange: 1))
        write(channel, .content(ByteBuffer(string: "ok")), .end(trailers: [:]))
        #expect(try written(channel) == "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        write(channel, .interim(hints, exchange: 1))
        #expect(try written(channel).isEmpty)
        write(channel, .interim(hints, exchange: nil))
        #expect(try !written(channel).isEmpty)
    }

    @Test("a client that does not read gets no interim responses, which would pile up, and the final one all the same")
    func interimUnread() throws {
        let channel = try channel(Self.request)
        channel.isWritable = false
        for _ in 0..<32 { write(channel, .interim(hints, exchange: 1)) }
        #expect(try written(channel).isEmpty)
        channel.isWritable = true
        write(channel, .interim(hints, exchange: 1), .whole(ok, .length(0), closes: false, ByteBuffer()))
        #expect(
            try written(channel) == "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    }

    @Test("the next request comes when the answer to the one before is out (RFC 9112 §9.3.2)")
    func pipelining() throws {
        let channel = try channel(Self.request + Self.request)
        #expect(try requests(channel) == [1])
        write(channel, .head(ok, .chunked, closes: false), .content(ByteBuffer(string: "ok")))
        #expect(try requests(channel) == [])
        write(channel, .end(trailers: [:]))
        #expect(try requests(channel) == [2])
        write(channel, .whole(ok, .length(0), closes: false, ByteBuffer()))
        try channel.writeInbound(ByteBuffer(string: Self.request))
        #expect(try requests(channel) == [3])
    }

    @Test("after an answer that came early the rest of its request passes by, then comes the next")
    func early() throws {
        let channel = try channel("PUT http://a/ HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe")
        write(channel, .whole(ok, .length(0), closes: false, ByteBuffer()))
        #expect(try requests(channel) == [1])
        try channel.writeInbound(ByteBuffer(string: "llo" + Self.request))
        #expect(try requests(channel) == [2])
    }

    @Test("a fault in what comes after an early answer gets no second answer; the connection is closed")
    func faultAfterAnswer() throws {
        let channel = try channel("PUT http://a/ HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        write(channel, .whole(ok, .length(0), closes: false, ByteBuffer()))
        #expect(try written(channel).hasPrefix("HTTP/1.1 200 OK\r\n"))
        _ = try? channel.writeInbound(ByteBuffer(string: "no number\r\n"))
        #expect(try written(channel) == "" && !channel.isActive)
    }

    @Test("more content than announced is not sent, less closes the connection (RFC 9112 §8, §11.1)")
    func lengths() throws {
        let long = try channel(Self.request)
        write(long, .head(ok, .length(2), closes: false), .content(ByteBuffer(string: "okHTTP/1.1 200 OK")))
        write(long, .content(ByteBuffer(string: "more")), .end(trailers: [:]))
        #expect(try written(long).hasSuffix("\r\n\r\nok"))
        #expect(long.isActive)
        let short = try channel(Self.request)
        write(short, .head(ok, .length(9), closes: false), .content(ByteBuffer(string: "ok")), .end(trailers: [:]))
        #expect(try written(short).hasSuffix("\r\n\r\nok"))
        #expect(!short.isActive)
    }

    @Test("content that breaks off in the middle of its answer ends both (RFC 9112 §7.1)")
    func brokenContent() throws {
        let channel = try channel("PUT http://a/ HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        write(channel, .head(ok, .chunked, closes: false))
        _ = try written(channel)
        #expect(throws: MessageFault.self) { try channel.writeInbound(ByteBuffer(string: "zz\r\n")) }
        #expect(try written(channel).isEmpty)
        #expect(!channel.isActive)
    }

    @Test("what is written after the last answer is not sent")
    func over() throws {
        let channel = try channel("nonsense\r\n\r\n")
        #expect(try written(channel).hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        write(channel, .whole(ok, .length(0), closes: false, ByteBuffer()))
        #expect(try written(channel).isEmpty)
    }

    @Test("while the socket takes nothing, no request is read")
    func backPressure() throws {
        let channel = try channel("")
        channel.isWritable = false
        channel.pipeline.fireChannelWritabilityChanged()
        try channel.writeInbound(ByteBuffer(string: Self.request + Self.request))
        #expect(try requests(channel).isEmpty)
        channel.isWritable = true
        channel.pipeline.fireChannelWritabilityChanged()
        #expect(try requests(channel) == [1])
        channel.isWritable = false
        write(channel, .whole(ok, .length(2), closes: false, ByteBuffer(string: "ok")))
        #expect(try requests(channel).isEmpty)
        channel.isWritable = true
        channel.pipeline.fireChannelWritabilityChanged()
        #expect(try requests(channel) == [2])
    }
}
