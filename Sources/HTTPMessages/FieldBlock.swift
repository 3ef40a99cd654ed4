#if Proxy
import HTTPTypes

/// The lines of a head or a trailer section as HTTP/2 carries them, RFC 9113 §8.2 and §8.3: names in lower case, those
/// of control data first and with a colon.
package struct FieldBlock: Sequence {
    package typealias Line = (name: String, value: String)

    private var lines: [Line] = []

    package init(_ lines: some Sequence<Line> = []) { self.lines = Array(lines) }

    package func makeIterator() -> IndexingIterator<[Line]> { lines.makeIterator() }

    fileprivate mutating func append(_ name: String, _ value: String) {
        lines.append((name, value))
    }

    /// Fields that concern a connection of HTTP/1.1 and must be in no message of HTTP/2, §8.2.2.
    private static let connectionSpecific: Set = [
        "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade",
    ]

    /// Adds fields, without those that HTTP/2 knows otherwise or must not have.
    fileprivate mutating func append(_ fields: HTTPFields, _ framing: MessageFraming, _ kind: MessageKind) {
        for field in fields where !MessageWriter.isReplaced(field.name, framing, kind) {
            let name = field.name.canonicalName
            guard !Self.connectionSpecific.contains(name) else { continue }
            // "The only exception to this is the TE header field […] MUST NOT contain any value other than trailers".
            guard name != "te" || field.value.lowercased() == "trailers" else { continue }
            append(name, field.value)
        }
        if case .length(let length) = framing { append("content-length", String(length)) }
    }

    /// Takes the block apart.
    ///
    /// - Parameter control: The names of control data that may be in it, without their colons.
    /// - Throws: ``MessageFault`` where §8.2 or §8.3 calls the message malformed.
    fileprivate func parts(
        _ control: Set<String>, _ kind: MessageKind
    ) throws(MessageFault) -> (control: [String: String], fields: HTTPFields) {
        guard lines.count <= FieldSection.lineLimit else {
            throw MessageFault(code: .headTooLarge, message: "There are too many fields.")
        }
        var found: [String: String] = [:]
        var fields = HTTPFields()
        fields.reserveCapacity(lines.count)
        var isControl = true
        for (name, value) in lines {
            if name.utf8.first == Octet.colon {
                let name = String(name.dropFirst())
                guard isControl, control.contains(name), found.updateValue(value, forKey: name) == nil else {
                    throw .malformed("A pseudo-header field is unknown, repeated or out of place.")
                }
                continue
            }
            isControl = false
            guard let known = HTTPField.Name(name), known.rawName == known.canonicalName else {
                throw .malformed("A field name is no token in lower case.")
            }
            guard !Self.connectionSpecific.contains(name) else {
                throw .malformed("There is a field that HTTP/2 does not have.")
            }
            fields.append(try Self.field(known, value, kind))
        }
        return (found, fields)
    }

    private static func field(
        _ name: HTTPField.Name, _ value: String, _ kind: MessageKind
    ) throws(MessageFault) -> HTTPField {
        var value = value
        let result = value.withUTF8 { bytes -> Result<HTTPField, MessageFault> in
            let all = UnsafeRawBufferPointer(bytes)
            // "A field value MUST NOT start or end with an ASCII whitespace character"; HTTP/1.1 takes it off.
            let trimmed = UnsafeRawBufferPointer(rebasing: Octet.trimmed(all[...]))
            guard kind == .response || trimmed.count == all.count else {
                return .failure(.malformed("A field value begins or ends with whitespace."))
            }
            do throws(MessageFault) {
                return .success(try FieldSection.field(name, trimmed, kind))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}

extension RequestHead {
    /// As HTTP/2 carries it, RFC 9113 §8.3.1.
    ///
    /// - Parameter framing: Written as `Content-Length` where it states one; the end of the stream says the rest.
    package func block(scheme: String, _ framing: MessageFraming) -> FieldBlock {
        var block = FieldBlock([(":method", method.rawValue), (":scheme", scheme)])
        if let host { block.append(":authority", host) }
        block.append(":path", target)
        block.append(fields, framing, .request)
        return block
    }

    /// Reads what HTTP/2 carries, RFC 9113 §8.3.1.
    ///
    /// - Parameter scheme: The connection's.
    package init(_ block: FieldBlock, scheme: String) throws(MessageFault) {
        let (control, all) = try block.parts(["method", "scheme", "authority", "path"], .request)
        guard let method = control["method"].flatMap({ HTTPRequest.Method($0) }) else {
            throw .malformed("The method is no token.")
        }
        // CONNECT has neither; there is nothing to lead a tunnel to inside of one.
        guard control["scheme"] == scheme, let target = control["path"] else {
            throw .malformed("The scheme is not the connection's, or there is no path.")
        }
        guard target.utf8.count <= Self.targetLimit else {
            throw MessageFault(code: .targetTooLong, message: "The request target is too long.")
        }
        guard target.hasPrefix("/") || target == "*", target.utf8.allSatisfy(Octet.isVisible) else {
            throw .malformed("The request target has octets that no URI may have, or begins with no slash.")
        }
        // "A server SHOULD treat a request as malformed if it contains a Host header field that identifies an entity
        // that differs from the entity in the ":authority" pseudo-header field."
        let hosts = all.filter { $0.name.meaning == .host }.map(\.value)
        let host = control["authority"] ?? hosts.first
        guard hosts.count <= 1, hosts.allSatisfy({ $0 == host }), Self.isHost(host ?? "") else {
            throw .malformed("There must be one valid Host.")
        }
        var fields = HTTPFields(all.filter { $0.name.meaning != .host })
        guard fields[values: .te].allSatisfy({ $0.lowercased() == "trailers" }) else {
            throw .malformed("There is a field that HTTP/2 does not have.")
        }
        // §8.2.3: the lines of a cookie "MUST be concatenated into a single octet string".
        let cookies = fields[values: .cookie]
        if cookies.count > 1 { fields[values: .cookie] = [cookies.joined(separator: "; ")] }
        self.init(method: method, target: target, host: host, isHTTP2: true, fields: fields)
    }
}

extension HTTPResponse {
    /// As HTTP/2 carries it, RFC 9113 §8.3.2.
    package func block(_ framing: MessageFraming) -> FieldBlock {
        var block = FieldBlock([(":status", String(status.code))])
        block.append(headerFields, framing, .response)
        return block
    }
}

extension ResponseHead {
    /// Reads what HTTP/2 carries, RFC 9113 §8.3.2.
    package init(_ block: FieldBlock) throws(MessageFault) {
        let (control, fields) = try block.parts(["status"], .response)
        let digits = Array((control["status"] ?? "").utf8)
        guard digits.count == 3, digits.allSatisfy(Octet.isDigit) else {
            throw .malformed("The status is no number of three digits.")
        }
        self.init(status: HTTPResponse.Status(code: try Self.code(digits[...])), fields: fields)
    }
}

extension HTTPFields {
    /// Reads a trailer section, RFC 9113 §8.1: without control data.
    package init(trailers block: FieldBlock, _ kind: MessageKind) throws(MessageFault) {
        self = try block.parts([], kind).fields
    }

    /// As HTTP/2 carries a trailer section.
    package var trailerBlock: FieldBlock {
        var block = FieldBlock()
        block.append(self, .none, .response)
        return block
    }
}
#endif
