#if os(Linux)
import Foundation
import Glibc

/// The secret that clients of a virtual display have to show: MIT-MAGIC-COOKIE-1 (Xsecurity(7)), random for each
/// display.
///
/// Without it any user of the machine could see what the display shows, and type into it. The file is as Xau(3)
/// describes it, and its owner's alone. The server and its clients read the same one.
struct DisplayAuthority: Sendable {
    /// The name of the protocol.
    static let protocolName = Array("MIT-MAGIC-COOKIE-1".utf8)

    let path: String
    let cookie: [UInt8]

    /// Draws a cookie and writes its file.
    ///
    /// - Throws: ``HostError`` when the file can't be written.
    init(in folder: String = FileManager.default.temporaryDirectory.path) throws {
        var random = SystemRandomNumberGenerator()
        let cookie = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
        // mkstemp(3): a name that was not there, mode 0600.
        var template = Array((folder + "/larder-display-XXXXXX").utf8CString)
        let descriptor = mkstemp(&template)
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let bytes = Self.entry(cookie)
        guard descriptor >= 0, write(descriptor, bytes, bytes.count) == bytes.count, close(descriptor) == 0 else {
            let error = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            if descriptor >= 0 { unlink(path) }
            throw HostError(
                code: .badUse,
                message: "The file with the cookie of a virtual display can't be written in '\(folder)'.",
                cause: error)
        }
        (self.path, self.cookie) = (path, cookie)
    }

    /// One entry, big-endian: FamilyWild (65535) with no address and no number, which is any display.
    static func entry(_ cookie: [UInt8]) -> [UInt8] {
        func counted(_ bytes: [UInt8]) -> [UInt8] { [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes }
        return [0xFF, 0xFF] + counted([]) + counted([]) + counted(protocolName) + counted(cookie)
    }

    func remove() { unlink(path) }
}
#endif
