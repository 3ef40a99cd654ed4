#if Proxy
import HTTPTypes
import NIOCore

/// Takes the messages of one connection apart, RFC 9112: octets in, heads and content out.
///
/// The caller reads a head, decides its ``MessageFraming``, says so with ``begin(_:)`` and reads content to its end;
/// then comes the next head. What is not read stays. After a fault there is nothing more to read.
package struct MessageReader: Sendable {
    /// Content as it comes, without transfer coding.
    package enum Content: Sendable {
        case bytes(ByteBuffer)
        /// The end, with the fields of the trailer section (RFC 9110 §6.5), usually none.
        case end(trailers: HTTPFields)
    }

    /// The longest head or trailer section, in octets.
    package static let headLimit = 262_144

    private enum State {
        case head
        case counted(Int64)
        case chunkSize
        case chunk(Int64)
        case chunkEnd
        case trailers
        case untilClose
    }

    private let kind: MessageKind
    private var input = ByteBuffer()
    private var state = State.head
    /// Within the readable bytes: where the line begins that has no end yet.
    private var lineStart = 0
    /// Within the readable bytes: before here that line has no end.
    private var searched = 0

    package init(_ kind: MessageKind) { self.kind = kind }

    /// Whether everything that came has been read.
    package var isEmpty: Bool { input.readableBytes == 0 }

    /// Adds what came.
    package mutating func append(_ bytes: ByteBuffer) {
        if isEmpty {
            input = bytes
        } else {
            var bytes = bytes
            input.discardReadBytes()
            input.writeBuffer(&bytes)
        }
    }

    /// Gives back what was not read; the connection carries something else now.
    package mutating func takeRest() -> ByteBuffer {
        defer { input = ByteBuffer() }
        return input
    }

    // MARK: Heads

    /// The next head with the empty line at its end; `nil` when it has not come yet.
    ///
    /// - Throws: ``MessageFault/Code/headTooLarge``. What a head may hold is for ``RequestHead`` and
    ///   ``ResponseHead`` to judge.
    package mutating func head() throws(MessageFault) -> ByteBuffer? {
        guard case .head = state else { return nil }
        // §2.2: "a server that is expecting to receive and parse a request-line SHOULD ignore at least one empty line
        // (CRLF) received prior to the request-line." Before a status line browsers pass over such lines, too.
        while lineStart == 0, let length = emptyLine() {
            input.moveReaderIndex(forwardBy: length)
            searched = 0
        }
        return try section()
    }

    /// Says how the content of the head that was just read is framed. Not for interim responses: another head
    /// follows.
    package mutating func begin(_ framing: MessageFraming) {
        switch framing {
        case .none: state = .counted(0)
        case .length(let length): state = .counted(length)
        case .chunked: state = .chunkSize
        case .untilClose: state = .untilClose
        }
    }

    /// The length of an end of line at the beginning; `nil` where another octet stands there. Of origins a LF alone is
    /// one: "a recipient MAY recognize a single LF as a line terminator" (§2.2).
    private func emptyLine() -> Int? {
        if byte(0) == Octet.carriageReturn, byte(1) == Octet.lineFeed { return 2 }
        return kind == .response && byte(0) == Octet.lineFeed ? 1 : nil
    }

    /// Lines up to and with an empty one.
    private mutating func section() throws(MessageFault) -> ByteBuffer? {
        while let end = lineEnd() {
            let length = end - lineStart
            let isEmptyLine = length == 0 || (length == 1 && byte(lineStart) == Octet.carriageReturn)
            lineStart = end + 1
            searched = lineStart
            guard isEmptyLine else { continue }
            defer { (lineStart, searched) = (0, 0) }
            guard lineStart <= Self.headLimit else { break }
            return read(lineStart)
        }
        guard input.readableBytes <= Self.headLimit else {
            throw MessageFault(code: .headTooLarge, message: "The head is too large.")
        }
        return nil
    }

    /// Where the next LF stands, within the readable bytes.
    private mutating func lineEnd() -> Int? {
        let view = input.readableBytesView
        let found = view[(view.startIndex + searched)...].firstIndex(of: Octet.lineFeed)
        searched = found.map { $0 - view.startIndex } ?? view.count
        return found.map { $0 - view.startIndex }
    }

    private func byte(_ offset: Int) -> UInt8? {
        input.getInteger(at: input.readerIndex + offset)
    }

    // MARK: Content

    /// The next part of the content; `nil` when it has not come yet.
    ///
    /// - Throws: ``MessageFault/Code/malformed`` and ``MessageFault/Code/headTooLarge``.
    package mutating func content() throws(MessageFault) -> Content? {
        while true {
            switch state {
            case .head: return nil
            case .counted(0):
                state = .head
                return .end(trailers: [:])
            case .counted(let left): return take(upTo: left) { .counted($0) }
            case .chunkSize:
                guard let size = try chunkSize() else { return nil }
                state = size == 0 ? .trailers : .chunk(size)
            case .chunk(0): state = .chunkEnd
            case .chunk(let left): return take(upTo: left) { .chunk($0) }
            case .chunkEnd:
                guard let length = emptyLine() else {
                    let mayFollow = input.readableBytes == 0 || byte(0) == Octet.carriageReturn && byte(1) == nil
                    guard mayFollow else { throw .malformed("A chunk is longer than its size.") }
                    return nil
                }
                input.moveReaderIndex(forwardBy: length)
                state = .chunkSize
            case .trailers:
                guard let trailers = try trailerSection() else { return nil }
                state = .head
                return .end(trailers: trailers)
            case .untilClose: return take(upTo: .max) { _ in .untilClose }
            }
        }
    }

    /// Says that no more will come. What is left unread was cut off.
    ///
    /// - Returns: The end, where the connection's end is the content's; `nil` between messages.
    /// - Throws: ``MessageFault/Code/endedEarly``.
    package mutating func endOfInput() throws(MessageFault) -> Content? {
        switch state {
        case .untilClose:
            state = .head
            return .end(trailers: [:])
        case .head where isEmpty: return nil
        // The last chunk has come: an origin that leaves out the empty line behind it has sent all of the content.
        case .trailers where isEmpty && kind == .response:
            state = .head
            return .end(trailers: [:])
        default: throw .cutOff
        }
    }

    private mutating func take(upTo limit: Int64, _ next: (Int64) -> State) -> Content? {
        let count = Int(min(limit, Int64(input.readableBytes)))
        guard count > 0, let bytes = read(count) else { return nil }
        state = next(limit - Int64(count))
        return .bytes(bytes)
    }

    /// Takes octets out. An empty buffer is given up: otherwise each connection that waits would keep the memory that
    /// it received into, and no other connection could use it.
    private mutating func read(_ count: Int) -> ByteBuffer? {
        defer { if isEmpty { input = ByteBuffer() } }
        return input.readSlice(length: count)
    }

    private mutating func chunkSize() throws(MessageFault) -> Int64? {
        guard let end = lineEnd() else {
            guard input.readableBytes <= ChunkedCoding.lineLimit else {
                throw MessageFault(code: .headTooLarge, message: "A chunk extension is too long.")
            }
            return nil
        }
        searched = 0
        let hasReturn = end > 0 && byte(end - 1) == Octet.carriageReturn
        guard hasReturn || kind == .response, end <= ChunkedCoding.lineLimit,
            let line = input.readSlice(length: end + 1)
        else { throw .malformed("A chunk's size line has no end.") }
        let kind = kind
        return try line.parsed { bytes throws(MessageFault) in
            try ChunkedCoding.size(UnsafeRawBufferPointer(rebasing: bytes.dropLast(hasReturn ? 2 : 1)), kind)
        }
    }

    private mutating func trailerSection() throws(MessageFault) -> HTTPFields? {
        guard let lines = try section() else { return nil }
        let kind = kind
        return try lines.parsed { bytes throws(MessageFault) in
            var section = FieldSection(bytes, kind)
            return try section.fields()
        }
    }
}

/// Reads the size lines of the chunked transfer coding, RFC 9112 §7.1.
enum ChunkedCoding {
    /// The longest size line with its extensions, in octets: they ought to be limited (§7.1.1), and there is no use for
    /// long ones.
    static let lineLimit = 4_096

    /// - Parameter line: Without its end.
    /// - Returns: The size; zero for the last chunk.
    /// - Throws: ``MessageFault`` unless it is `1*HEXDIG`, then nothing or extensions, which are ignored.
    static func size(_ line: UnsafeRawBufferPointer, _ kind: MessageKind) throws(MessageFault) -> Int64 {
        var size: Int64 = 0
        var index = 0
        while index < line.count, let digit = Character(UnicodeScalar(line[index])).hexDigitValue {
            // "MUST anticipate potentially large hexadecimal numerals and prevent parsing errors due to integer
            // conversion overflows".
            guard size <= Int64.max >> 5 else { throw .malformed("A chunk is too large.") }
            size = size << 4 | Int64(digit)
            index += 1
        }
        guard index > 0 else { throw .malformed("A chunk has no size.") }
        let hasPadding = index < line.count && Octet.isWhitespace(line[index])
        while index < line.count, Octet.isWhitespace(line[index]) { index += 1 }
        // Whitespace may stand before an extension only; some origins pad with it.
        let isEnd = index == line.count && (!hasPadding || kind == .response)
        guard isEnd || (index < line.count && line[index] == Octet.semicolon) else {
            throw .malformed("A chunk's size is no number.")
        }
        let isClean = line[index...].allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == Octet.tab }
        guard isClean else { throw .malformed("A chunk extension has control characters.") }
        return size
    }
}
#endif
