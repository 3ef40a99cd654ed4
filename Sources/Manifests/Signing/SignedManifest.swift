import HTTPCacheSemantics

/// A head as it is published: a line of signatures, a line feed, and the payload.
///
///     {"signatures":[{"key":"…","sig":"…"}]}
///     {"larder":1,"id":"com.example.shop",…}
///
/// The payload is every octet behind the first line feed, and the signatures are over exactly these octets, in the
/// pre-authentication encoding of DSSE: nothing is parsed, decoded or put in a canonical form before they are verified.
/// An unsigned head is the payload alone.
package struct SignedManifest: Hashable, Sendable {
    /// The whole head, with its signatures: 64 KiB.
    package static let sizeLimit = 65_536
    /// The signed payload's type, so that no signature can be used for something else.
    package static let payloadType = "application/vnd.larder.head+json"
    private static let signatureLimit = 8
    private static let lineLimit = 4_096

    package struct Signature: Hashable, Sendable {
        /// The key's ``ManifestKey/id``.
        package var keyID: String
        /// 64 bytes.
        package var bytes: [UInt8]
    }

    package private(set) var signatures: [Signature]
    package let payload: [UInt8]

    /// A head without signatures.
    package init(payload: [UInt8]) { (signatures, self.payload) = ([], payload) }

    /// A head as published. It verifies nothing.
    package init(published bytes: [UInt8]) throws(ManifestRefusal) {
        guard bytes.count <= Self.sizeLimit else {
            throw ManifestRefusal(
                .tooLarge, "The head has \(bytes.count) octets; at most \(Self.sizeLimit) are allowed.")
        }
        guard bytes.starts(with: "{\"signatures\":".utf8) else {
            (signatures, payload) = ([], bytes)
            return
        }
        guard let end = bytes.firstIndex(of: 0x0A) else {
            throw ManifestRefusal(.malformed, "The head ends within its first line; it was cut off, fetch it again.")
        }
        guard bytes[end - 1] == 0x7D else {
            throw ManifestRefusal(
                .malformed,
                "The line of signatures does not end in \"}\" and a line feed; publish the head's exact octets.")
        }
        signatures = try Self.signatures(Array(bytes[..<end]))
        payload = Array(bytes[(end + 1)...])
    }

    /// Adds a signature, in the place of an earlier one by the same key.
    package mutating func sign(with key: ManifestSigningKey) throws {
        guard let keyID = key.publicKey?.id else { return }
        let signature = Signature(keyID: keyID, bytes: try key.signature(of: payload))
        signatures.removeAll { $0.keyID == keyID }
        signatures.append(signature)
    }

    /// The published bytes.
    package var published: [UInt8] {
        if signatures.isEmpty { return payload }
        let list = signatures.map { "{\"key\":\"\($0.keyID)\",\"sig\":\"\(Hexadecimal.text($0.bytes))\"}" }
        return Array("{\"signatures\":[\(list.joined(separator: ","))]}\n".utf8) + payload
    }

    /// `"DSSEv1" SP LEN(type) SP type SP LEN(payload) SP payload`, the lengths in decimal (DSSE protocol, PAE).
    static func authenticated(_ payload: [UInt8]) -> [UInt8] {
        Array("DSSEv1 \(payloadType.utf8.count) \(payloadType) \(payload.count) ".utf8) + payload
    }

    private static func signatures(_ line: [UInt8]) throws(ManifestRefusal) -> [Signature] {
        let object = try ManifestObject(
            line, "the line of signatures", .malformed, format: nil, tooLarge: .tooLarge, duplicateKey: .duplicateKey,
            sizeLimit: lineLimit)
        var signatures: [Signature] = []
        for node in try object.list("signatures", limit: signatureLimit) {
            let member = try ManifestObject(node, "a signature", .malformed)
            let keyID = try member.text("key", limit: 32)
            guard ManifestKey.isID(keyID) else { throw member.refusal("key", "a key's id, 32 hexadecimal digits") }
            guard let bytes = Hexadecimal.bytes(try member.text("sig", limit: 128)), bytes.count == 64 else {
                throw member.refusal("sig", "a signature as 128 lower-case hexadecimal digits")
            }
            guard !signatures.contains(where: { $0.keyID == keyID }) else {
                throw ManifestRefusal(.malformed, "The key \(keyID) has signed twice; sign the head anew.")
            }
            signatures.append(Signature(keyID: keyID, bytes: bytes))
        }
        return signatures
    }
}
