import CacheTesting
import HTTPMessages
import HTTPTypes
import NIOCore
import Testing
import WireSupport

/// Random messages, damaged ones among them: framing, lengths and chunk sizes may say anything. The same octets mean
/// the same however they are cut, and content never has another length than was stated. The seeds stand here; more with
/// other seeds find more.
@Suite("RFC 9112 §6 and §7: random framing", .timeLimit(.minutes(60)))
struct RandomFramingTests {
    private static let numbers = [
        "0", "1", "5", "00", "7fffffffffffffff", "8000000000000000", "ffffffffffffffff", "9223372036854775807",
        "9223372036854775808", "18446744073709551616", "-1", "+5", "0x5", "5 ", "5;a=b", "5, 5", "", "7FFFFFFFFFFFFFF0",
    ]

    private static func message(_ dice: inout SplitMix64, _ kind: MessageKind) -> [UInt8] {
        func pick(_ values: [String]) -> String { values[Int(dice.next() % UInt64(values.count))] }
        var text = kind == .request ? "POST / HTTP/1.1\r\nHost: a\r\n" : "HTTP/1.1 200 OK\r\n"
        for _ in 0..<dice.next() % 3 {
            text += pick([
                "Content-Length: \(pick(numbers))\r\n", "Transfer-Encoding: chunked\r\n", "X: y\r\n",
                "Transfer-Encoding: \(pick(["gzip, chunked", "chunked, chunked", "x", ""]))\r\n",
            ])
        }
        text += "\r\n"
        for _ in 0..<dice.next() % 4 {
            text += pick(["5\r\nhello\r\n", "hello", "\(pick(numbers))\r\n", "\(pick(numbers))\r\nhello\r\n"])
        }
        text += pick(["0\r\n\r\n", "0\r\nT: 1\r\n\r\n", ""])
        var octets = Octets.bytes(text)
        for _ in 0..<dice.next() % 3 {
            let place = Int(dice.next() % UInt64(octets.count))
            switch dice.next() % 3 {
            case 0: octets[place] = UInt8(truncatingIfNeeded: dice.next())
            case 1: octets.remove(at: place)
            default: octets.insert([13, 10, 48, 57, 102, 58, 59, 0][Int(dice.next() % 8)], at: place)
            }
        }
        return octets
    }

    /// What is read, up to the end or the fault.
    private static func read(_ pieces: [ArraySlice<UInt8>], _ kind: MessageKind) -> [String] {
        var reader = MessageReader(kind)
        var (events, content): ([String], [UInt8]?) = ([], nil)
        var stated: Int64?
        do throws(MessageFault) {
            for piece in pieces where !piece.isEmpty {
                reader.append(ByteBuffer(bytes: piece))
                while true {
                    if content != nil {
                        guard let part = try reader.content() else { break }
                        switch part {
                        case .bytes(let bytes): content? += bytes.readableBytesView
                        case .end(let trailers):
                            let length = Int64(content?.count ?? 0)
                            #expect(stated.map { $0 == length } ?? true)
                            events += [Octets.text(content ?? [])] + trailers.map { "\($0.name)=\($0.value)" }
                            content = nil
                        }
                    } else {
                        guard let bytes = try reader.head() else { break }
                        let framing = try framing(bytes, kind)
                        (stated, content) = (framing.statedLength, [])
                        events.append("\(framing)")
                        reader.begin(framing)
                    }
                }
            }
            if case .end = try reader.endOfInput() { events.append("end") }
            events.append(Octets.text(content ?? []))
        } catch {
            // Content that came before a fault may have been handed on or not: it depends on the cut.
            events.append("fault \(error.code)")
        }
        return events
    }

    private static func framing(_ bytes: ByteBuffer, _ kind: MessageKind) throws(MessageFault) -> MessageFraming {
        if kind == .request { return try MessageFraming(of: try RequestHead(bytes)) }
        var head = try ResponseHead(bytes)
        return try MessageFraming.of(&head, to: .get).framing
    }

    @Test("the same however it is cut", arguments: [MessageKind.request, .response], [1, 2, 3, 4] as [UInt64])
    func cuts(_ kind: MessageKind, _ seed: UInt64) {
        var dice = SplitMix64(seed: seed)
        for round in 0..<2_000 {
            let octets = Self.message(&dice, kind)
            let whole = Self.read([octets[...]], kind)
            let cut = Int(dice.next() % UInt64(octets.count + 1))
            #expect(Self.read([octets[..<cut], octets[cut...]], kind) == whole, "\(seed), \(round): \(octets)")
            let single = Self.read(octets.indices.map { octets[$0...$0] }, kind)
            #expect(single == whole, "\(seed), \(round): \(octets)")
            guard single == whole else { return }
        }
    }
}
