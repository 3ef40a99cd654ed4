import HTTPMessages
import HTTPTypes
import NIOCore
import Testing
import WireSupport

/// The reader alone: nothing may depend on how the octets were cut into packets.
@Suite("RFC 9112: reading messages piece by piece")
struct MessageReaderTests {
    /// What was read, in short.
    private static func read(
        _ text: String, _ kind: MessageKind, _ framing: MessageFraming, cutAt: Int? = nil
    ) throws -> [String] {
        var reader = MessageReader(kind)
        var events: [String] = []
        var content = ""
        var isInContent = false
        let bytes = Octets.bytes(text)
        let pieces = cutAt.map { [bytes[..<$0], bytes[$0...]] } ?? bytes.map { [$0][...] }
        for piece in pieces where !piece.isEmpty {
            reader.append(ByteBuffer(bytes: piece))
            while true {
                if isInContent {
                    guard let part = try reader.content() else { break }
                    switch part {
                    case .bytes(let bytes): content += Octets.text(bytes.readableBytesView)
                    case .end(let trailers):
                        events += [content] + trailers.map { "\($0.name)=\($0.value)" }
                        (content, isInContent) = ("", false)
                    }
                } else {
                    guard let head = try reader.head() else { break }
                    let fields = kind == .request ? try RequestHead(head).fields : try ResponseHead(head).fields
                    events += fields.map { "\($0.name):\($0.value)" }
                    reader.begin(framing)
                    isInContent = true
                }
            }
        }
        if case .end = try reader.endOfInput() { events.append(content) }
        return events
    }

    struct Message: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var text: String
        var kind = MessageKind.request
        var framing: MessageFraming
        var events: [String]
    }

    private static let line = "GET / HTTP/1.1\r\nHost: a\r\n"

    @Test(
        "the same parts wherever the text is cut",
        arguments: [
            Message(
                testDescription: "two requests without content", text: "\(line)X: 1\r\n\r\n\r\n\(line)Y: 2\r\n\r\n",
                framing: .none, events: ["X:1", "", "Y:2", ""]),
            Message(
                testDescription: "two requests with a length", text: "\(line)\r\nhello\(line)\r\nworld",
                framing: .length(5), events: ["hello", "world"]),
            Message(
                testDescription: "chunks, extensions and trailers",
                text: "\(line)\r\n5;a=\"b\"\r\nhello\r\n006\r\n world\r\n0\r\nX: 1\r\nY: 2\r\n\r\n\(line)\r\n0\r\n\r\n",
                framing: .chunked, events: ["hello world", "X=1", "Y=2", ""]),
            Message(
                testDescription: "folds and bare LF in a response",
                text: "HTTP/1.1 200 OK\nX: 1\r\n  2\nY:3\n\r\nhello",
                kind: .response, framing: .untilClose, events: ["X:1 2", "Y:3", "hello"]),
        ])
    func cuts(_ message: Message) throws {
        #expect(try Self.read(message.text, message.kind, message.framing) == message.events)
        for cut in 0...Octets.bytes(message.text).count {
            let events = try Self.read(message.text, message.kind, message.framing, cutAt: cut)
            #expect(events == message.events, "cut at \(cut)")
        }
    }

    @Test(
        "a fault is a fault wherever the text is cut",
        arguments: [
            ("5\r\nhelloX", MessageFraming.chunked), ("5\r\nhello\rX", .chunked), ("g\r\n", .chunked), ("\n", .chunked),
            ("0\r\nX\r\n\r\n", .chunked), ("0\r\nX : 1\r\n\r\n", .chunked), ("0\r\nX: 1\n\r\n", .chunked),
            ("5 \r\n", .chunked),
        ])
    func faults(content: String, framing: MessageFraming) throws {
        let text = Self.line + "\r\n" + content
        for cut in 0...Octets.bytes(text).count {
            let fault = #expect(throws: MessageFault.self) { try Self.read(text, .request, framing, cutAt: cut) }
            #expect(fault?.code == .malformed, "cut at \(cut)")
        }
    }

    @Test(
        "any octet changed into any other: the same verdict in one piece and octet by octet",
        arguments: [
            (MessageKind.request, line + "X: 1\r\n\r\n5;a=b\r\nhello\r\n0\r\nY: 2\r\n\r\n" + line + "\r\n0\r\n\r\n"),
            (.response, "HTTP/1.1 200 OK\r\nX: 1\r\n 2\r\n\r\n5\r\nhello\r\n00\r\nY: 2\r\n\r\n"),
        ])
    func mutations(kind: MessageKind, text: String) {
        func verdict(_ text: String, cutAt: Int?) -> String {
            do {
                return try "\(Self.read(text, kind, .chunked, cutAt: cutAt))"
            } catch {
                return "\((error as? MessageFault)?.code as Any)"
            }
        }
        let octets = Octets.bytes(text)
        var verdicts: Set<String> = []
        for index in octets.indices {
            for octet in [0, 9, 10, 13, 32, 48, 58, 59, 65, 127, 128, 255] as [UInt8] {
                var changed = octets
                changed[index] = octet
                let text = Octets.text(changed)
                let whole = verdict(text, cutAt: 0)
                verdicts.insert(whole)
                #expect(whole == verdict(text, cutAt: nil), "octet \(index) as \(octet)")
            }
        }
        #expect(verdicts.count > 20, "the changes make a difference")
    }

    @Test(
        "what has no end is cut off (RFC 9112 §8)",
        arguments: [
            ("GET", MessageFraming.none), (line, .none), (line + "\r\nhell", .length(5)),
            (line + "\r\n5\r\nhello\r\n0\r\n", .chunked),
        ])
    func endings(text: String, framing: MessageFraming) throws {
        let fault = #expect(throws: MessageFault.self) { try Self.read(text, .request, framing) }
        #expect(fault?.code == .endedEarly)
    }

    @Test(
        "lines without an end are given up at the limit, not collected",
        arguments: [
            ("GET / HTTP/1.1\r\nX: ", MessageFraming.none, MessageReader.headLimit),
            (line + "\r\n5;", .chunked, 4_096), (line + "\r\n0\r\nX: ", .chunked, MessageReader.headLimit),
        ])
    func limits(start: String, framing: MessageFraming, limit: Int) throws {
        var reader = MessageReader(.request)
        reader.append(ByteBuffer(bytes: Octets.bytes(start)))
        if try reader.head() != nil {
            reader.begin(framing)
            #expect(try reader.content() == nil)
        }
        var given = 0
        let fault = #expect(throws: MessageFault.self) {
            while given < 2 * limit {
                reader.append(ByteBuffer(repeating: 0x61, count: 1_000))
                given += 1_000
                _ = try reader.head()
                _ = try reader.content()
            }
        }
        #expect(fault?.code == .headTooLarge)
        #expect(given <= limit + 2_000)
    }

    @Test("a buffer that was read to its end is let go, not kept while the connection waits")
    func letsGo() throws {
        var reader = MessageReader(.request)
        for _ in 1...2 {
            reader.append(ByteBuffer(string: Self.line + "\r\nhello"))
            #expect(try reader.head() != nil)
            reader.begin(.length(5))
            _ = try reader.content()
            _ = try reader.content()
        }
        #expect(reader.takeRest().capacity == 0)
    }
}
