/// Reads HTTP/1.1 messages from the bytes of one connection, RFC 9112 §2 and §6. Knows nothing of caching.
struct MessageReader {
    private enum Framing {
        case length(Int)
        case chunked
        case untilClose
    }

    private var buffer: [UInt8] = []
    private var message: Message?
    private var framing = Framing.length(0)
    private var interim: [(status: Int, fields: [(name: String, value: String)])] = []
    private let isResponse: Bool
    /// Of the request that is being answered; its answer's framing depends on it.
    var method = "GET"

    init(isResponse: Bool) {
        self.isResponse = isResponse
    }

    /// How much of the current message's body is here.
    var bodyCount: Int { message?.body.count ?? 0 }

    /// Bytes that belong to no message yet.
    var waiting: [UInt8] { message == nil ? buffer : [] }

    /// Takes bytes in; returns the message when they complete one.
    mutating func read(_ bytes: some Sequence<UInt8>) -> Message? {
        buffer += bytes
        while message == nil {
            guard let head = takeHead() else { return nil }
            if isResponse, (100..<200).contains(head.status), head.status != 101 {
                interim.append((head.status, head.fields))
            } else {
                begin(head)
            }
        }
        return readBody()
    }

    /// The connection has ended.
    mutating func end() -> Message? {
        guard var message else { return nil }
        if case .untilClose = framing {
        } else {
            message.isComplete = false
        }
        self.message = nil
        return message
    }

    private mutating func begin(_ head: Message) {
        var head = head
        head.interim = interim
        interim = []
        message = head
        let length = head.value("Content-Length").flatMap { Int($0) }
        if isResponse, method == "HEAD" || [204, 304].contains(head.status) {
            framing = .length(0)
        } else if head.value("Transfer-Encoding")?.lowercased().contains("chunked") == true {
            framing = .chunked
        } else if let length {
            framing = .length(length)
        } else {
            framing = isResponse ? .untilClose : .length(0)
        }
    }

    private mutating func readBody() -> Message? {
        switch framing {
        case .length(let length):
            let count = min(buffer.count, length - bodyCount)
            message?.body += buffer.prefix(count)
            buffer.removeFirst(count)
            return bodyCount == length ? finish() : nil
        case .untilClose:
            message?.body += buffer
            buffer = []
            return nil
        case .chunked:
            while let chunk = takeChunk() {
                guard chunk.isEmpty else {
                    message?.body += chunk
                    continue
                }
                return finish()
            }
            return nil
        }
    }

    private mutating func finish() -> Message? {
        defer { message = nil }
        return message
    }

    /// The next whole chunk; empty for the last one, whose trailers are then read; `nil` when more bytes are needed.
    private mutating func takeChunk() -> [UInt8]? {
        guard let lineEnd = lineEnd(from: 0) else { return nil }
        let line = String(decoding: buffer[..<lineEnd], as: UTF8.self)
        guard let size = Int(line.prefix { $0 != ";" }, radix: 16) else { return nil }
        let start = lineEnd + 2
        if size == 0 {
            guard let (lines, end) = lines(from: start) else { return nil }
            message?.trailers = lines.compactMap(Self.field)
            buffer.removeFirst(end)
            return []
        }
        guard buffer.count >= start + size + 2 else { return nil }
        let chunk = Array(buffer[start..<start + size])
        buffer.removeFirst(start + size + 2)
        return chunk
    }

    private mutating func takeHead() -> Message? {
        guard let (lines, end) = lines(from: 0) else { return nil }
        buffer.removeFirst(end)
        return Message(startLine: lines.first ?? "", fields: lines.dropFirst().compactMap(Self.field))
    }

    /// Lines up to an empty one, and the offset after that.
    private func lines(from start: Int) -> ([String], end: Int)? {
        var lines: [String] = []
        var position = start
        while let end = lineEnd(from: position) {
            if end == position { return (lines, end + 2) }
            lines.append(String(decoding: buffer[position..<end], as: UTF8.self))
            position = end + 2
        }
        return nil
    }

    private func lineEnd(from start: Int) -> Int? {
        guard buffer.count >= 2, start < buffer.count - 1 else { return nil }
        return (start..<buffer.count - 1).first { buffer[$0] == 13 && buffer[$0 + 1] == 10 }
    }

    private static func field(_ line: String) -> (name: String, value: String)? {
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        return (String(line[..<colon]), String(value))
    }
}
